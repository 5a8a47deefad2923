//! Programs that are scripts for Node.js, many in one process: to start Node.js takes longer than most tests.
//!
//! Each worker of `futc test` has a process of its own, which runs one program at a time and gives it streams,
//! arguments and an end of its own (`node.js`). A process that does not answer is gone, and so is what the program did to
//! it: the caller runs the program by itself then.

use super::process::{Ending, Outcome};
use futc_testing::ending;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const HOST: &str = include_str!("node.js");

/// Processes that wait for programs.
#[derive(Debug, Default)]
pub struct Pool(Mutex<Vec<Node>>);

impl Pool {
    /// Runs a script with arguments and input. Nothing if the process is gone, or Node.js cannot be started.
    pub fn run(
        &self,
        script: &Path,
        arguments: &[String],
        input: &[u8],
        limit: Duration,
    ) -> Option<Outcome> {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut node = match waiting {
            Some(node) => node,
            None => Node::start().ok()?,
        };
        let outcome = node.run(script, arguments, input, limit)?;
        if outcome.ending != Ending::Timeout {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(node);
        }
        Some(outcome)
    }
}

/// A process, which ends with this.
#[derive(Debug)]
struct Node {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    _known: ending::Running,
}

impl Node {
    fn start() -> io::Result<Node> {
        let mut command = Command::new("node");
        command.args(["--expose-gc", "-e", HOST]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let (mut child, known) = ending::start(&mut command)?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let from = BufReader::new(from);
        Ok(Node { child, to, from, _known: known })
    }

    fn run(
        &mut self,
        script: &Path,
        arguments: &[String],
        input: &[u8],
        limit: Duration,
    ) -> Option<Outcome> {
        let Node { child, to, from, .. } = self;
        let request = serde_json::json!([script.to_str()?, arguments, input.len()]);
        let (finished, wait) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let watch = scope.spawn(move || {
                let late = wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
                if late {
                    let _ = child.kill();
                }
                late
            });
            let answer = writeln!(to, "{request}")
                .and_then(|()| to.write_all(input))
                .and_then(|()| to.flush())
                .and_then(|()| answer(from));
            drop(finished);
            match (answer, watch.join()) {
                (Ok(outcome), _) => Some(outcome),
                (Err(_), Ok(true)) => Some(Outcome {
                    ending: Ending::Timeout,
                    stdout: Vec::new(),
                    stderr: String::new(),
                }),
                (Err(_), _) => None,
            }
        })
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn answer(from: &mut BufReader<ChildStdout>) -> io::Result<Outcome> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    let (status, output, errors): (i32, usize, usize) = serde_json::from_str(&line)?;
    let (mut stdout, mut stderr) = (vec![0; output], vec![0; errors]);
    from.read_exact(&mut stdout)?;
    from.read_exact(&mut stderr)?;
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    Ok(Outcome { ending: Ending::Code(status), stdout, stderr })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;
    use futc_testing::files::Scratch;

    #[test]
    fn scripts_have_streams_arguments_and_an_end_of_their_own() {
        let scratch = Scratch::new("futc-node-").unwrap();
        let script = scratch.path().join("script");
        let run = |pool: &Pool, text: &str, arguments: &[&str], input: &str, seconds: u64| {
            std::fs::write(&script, text).unwrap();
            let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
            pool.run(&script, &arguments, input.as_bytes(), Duration::from_secs(seconds))
        };
        let ended = |code, stdout: &str, stderr: &str| {
            Some(Outcome {
                ending: Ending::Code(code),
                stdout: stdout.as_bytes().to_vec(),
                stderr: stderr.to_owned(),
            })
        };
        let pool = Pool::default();
        let echo = "#!/usr/bin/env node\nconst fs = require('node:fs'); const b = Buffer.alloc(9);\n\
            const n = fs.readSync(0, b, 0, 9, null); fs.writeSync(1, b, 0, n, null);\n\
            fs.writeSync(2, Buffer.from(process.argv[2]), 0, 1, null); process.exit(3);";
        assert_eq!(run(&pool, echo, &["x"], "abc", 60), ended(3, "abc", "x"));
        assert_eq!(run(&pool, echo, &["y"], "", 60), ended(3, "", "y"));
        let failing = run(&Pool::default(), "throw new Error('oh')", &[], "", 60).unwrap();
        assert_eq!(failing.ending, Ending::Code(1));
        assert!(failing.stderr.contains("Error: oh"), "{}", failing.stderr);
        let endless = run(&Pool::default(), "for (;;);", &[], "", 1).unwrap();
        assert_eq!(endless.ending, Ending::Timeout);
        let gone = run(&Pool::default(), "require('node:process').abort()", &[], "", 60);
        assert_eq!(gone, None);
    }
}
