//! Running a process with input, with its output captured and its time bounded.

use futc_testing::ending;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With this status.
    Code(i32),
    /// By a signal: a defect wherever it comes from.
    Signal(i32),
    /// It did not within the time given.
    Timeout,
}

/// What a process did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error, as text.
    pub stderr: String,
}

/// Runs `command`, feeding `input`.
pub fn run(mut command: Command, input: Vec<u8>, limit: Duration) -> Result<Outcome, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, _known) = ending::start(command).map_err(|e| format!("{name}: {e}"))?;
    let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(format!("{name}: no pipes"));
    };
    std::thread::scope(|scope| {
        // A program that fails early closes its input: not our concern.
        scope.spawn(move || drop(stdin.write_all(&input)));
        let out = scope.spawn(move || {
            let mut buffer = Vec::new();
            let _ = stdout.read_to_end(&mut buffer);
            buffer
        });
        let err = scope.spawn(move || {
            let mut buffer = Vec::new();
            let _ = stderr.read_to_end(&mut buffer);
            String::from_utf8_lossy(&buffer).into_owned()
        });
        let deadline = Instant::now() + limit;
        let mut nap = Duration::from_micros(200);
        let ending = loop {
            match child.try_wait().map_err(|e| format!("{name}: {e}"))? {
                Some(status) => break ending_of(status),
                None if Instant::now() >= deadline => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break Ending::Timeout;
                }
                None => {
                    std::thread::sleep(nap);
                    nap = (nap * 2).min(Duration::from_millis(10));
                }
            }
        };
        let stdout = out.join().map_err(|_| format!("{name}: reading its output failed"))?;
        let stderr = err.join().map_err(|_| format!("{name}: reading its errors failed"))?;
        Ok(Outcome { ending, stdout, stderr })
    })
}

fn ending_of(status: std::process::ExitStatus) -> Ending {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(c), _) => Ending::Code(c),
        (None, Some(s)) => Ending::Signal(s),
        (None, None) => Ending::Code(-1),
    }
}
