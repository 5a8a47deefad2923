//! A program compiled for a target, called many times.

use super::args::Args;
use futc_generate::values::Data;
use futc_generate::vary::kinds::Kind;
use futc_generate::vary::signature::Signature;
use futc_testing::server::{Server, ServerError};
use futc_testing::value::Reader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// What a call yields.
pub enum Answer {
    /// The leaves of the results.
    Values(Vec<Data>),
    /// The program reports a failure.
    Failed(String),
    /// It asks for more memory than it is given.
    NoMemory,
    /// It did not end in time.
    Timeout,
    /// The process ended, or what it yields is no value.
    Died(String),
}

/// A compiled program.
pub struct Target {
    /// What for.
    pub name: String,
    binary: PathBuf,
    scratch: PathBuf,
    errors: PathBuf,
    sanitize: bool,
    limit: Duration,
    server: Option<Server>,
}

/// Kilobytes that a program may have.
const MEMORY: u64 = 3_000_000;

impl Target {
    /// Compiles.
    pub fn compile(
        futc: &Path,
        program: &Path,
        name: &str,
        entries: &[&str],
        args: &Args,
        scratch: &Path,
    ) -> Result<Target, String> {
        let binary = scratch.join(name);
        let mut command = Command::new(futc);
        command.arg(program).args(["-w", "--server", "--safe"]).arg("-o").arg(&binary);
        command.arg(format!("--target={name}"));
        command.args(args.sanitize.then_some("--sanitize=address"));
        for e in entries {
            command.args(["-e", e]);
        }
        let done = command.output().map_err(|e| format!("{}: {e}", futc.display()))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            return Err(format!("{}\n{}", done.status, said.trim_end()));
        }
        Ok(Target {
            name: name.to_owned(),
            binary,
            scratch: scratch.to_owned(),
            errors: scratch.join(format!("{name}.errors")),
            sanitize: args.sanitize,
            limit: Duration::from_millis(args.limit),
            server: None,
        })
    }

    fn start(&self) -> Result<Server, String> {
        // The sanitizer reserves address space without end, and has a limit of its own.
        let limit = match self.sanitize {
            true => "export ASAN_OPTIONS=hard_rss_limit_mb=4000:max_allocation_size_mb=2000".into(),
            false => format!("ulimit -v {MEMORY}"),
        };
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{limit}; exec \"$0\" 2>\"$1\""));
        command.arg(&self.binary).arg(&self.errors);
        Server::start_command(command, &self.scratch).map_err(|e| e.to_string())
    }

    /// Calls an entry point, ending the process if it takes too long.
    pub fn call(&mut self, s: &Signature, values: &[Data]) -> Answer {
        let mut server = match self.server.take() {
            Some(server) => server,
            None => match self.start() {
                Ok(server) => server,
                Err(e) => return self.died(&e),
            },
        };
        let killer = server.killer();
        let (send, receive) = channel::<()>();
        let limit = self.limit;
        let watch = std::thread::spawn(move || {
            let late = receive.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            if late {
                killer.kill();
            }
            late
        });
        let result = one_call(&mut server, &self.scratch, s, values);
        drop(send);
        let late = watch.join().unwrap_or(true);
        if late {
            return Answer::Timeout;
        }
        match result {
            Ok(values) => {
                self.server = Some(server);
                Answer::Values(values)
            }
            Err(ServerError::Failure(what)) => {
                self.server = Some(server);
                match Kind::of(&what) {
                    Kind::Memory => Answer::NoMemory,
                    _ => Answer::Failed(what),
                }
            }
            Err(ServerError::Gone(how)) => {
                drop(server);
                self.died(&how)
            }
        }
    }

    fn died(&self, how: &str) -> Answer {
        let said = std::fs::read(&self.errors).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        // What a sanitizer says of its own limits is no fault of the program.
        if said.contains("hard rss limit exhausted") || said.contains("out-of-memory") {
            return Answer::NoMemory;
        }
        let report = said.find("ERROR: AddressSanitizer").and_then(|at| said.get(at..));
        let text: Vec<&str> = report.unwrap_or(&said).lines().take(12).collect();
        Answer::Died(format!("{how}\n{}", text.join("\n")))
    }
}

fn one_call(
    server: &mut Server,
    scratch: &Path,
    s: &Signature,
    values: &[Data],
) -> Result<Vec<Data>, ServerError> {
    let mut arguments = Vec::new();
    for v in values {
        arguments.push(server.put(v)?);
    }
    let results = server.call(&s.entry, &arguments);
    if !matches!(results, Err(ServerError::Gone(_))) {
        // Of those that were consumed there is nothing to be freed but the name.
        server.free(&arguments)?;
    }
    let results = results?;
    let file = scratch.join("result");
    let path = file.to_string_lossy().into_owned();
    let mut out = Vec::new();
    for (r, var) in s.results.iter().zip(&results) {
        server.command(&["store", &path, var])?;
        let bytes = std::fs::read(&file).map_err(|e| ServerError::Gone(e.to_string()))?;
        let leaves = Reader::new(&bytes).all();
        let leaves = leaves.map_err(|e| ServerError::Gone(format!("a result is no value: {e}")))?;
        if leaves.len() != r.prims.len() {
            return Err(ServerError::Gone("a result has another number of leaves".into()));
        }
        out.extend(leaves);
    }
    server.free(&results)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;
    use std::os::unix::fs::PermissionsExt as _;

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    /// What a call of a server yields that is ready and then does this.
    fn answer(does: &str) -> Answer {
        let dir = tempfile::tempdir().expect("a folder");
        let compiler = dir.path().join("compiler");
        let text = format!(
            "#!/bin/sh\nfor a; do [ \"$o\" = -o ] && out=$a; o=$a; done\n\
             printf '%s\\n' '#!/bin/sh' 'echo \"%%%%%% OK\"' 'read line' '{does}' >$out\nchmod +x $out\n"
        );
        let text = text.replace("%%%%%%", "%%%");
        std::fs::write(&compiler, text).expect("a compiler");
        std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("mode");
        let args = Cli::parse_from(["vary", "--limit", "2000"]).args;
        let program = Path::new("a.fut");
        let target = Target::compile(&compiler, program, "seq", &["f"], &args, dir.path());
        let mut target = target.expect("it compiles");
        let s = Signature { entry: "f".into(), params: Vec::new(), results: Vec::new() };
        target.call(&s, &[])
    }

    #[test]
    fn what_becomes_of_a_call_is_told_apart() {
        assert!(matches!(answer("kill -SEGV $$"), Answer::Died(how) if how.contains("signal: 11")));
        assert!(matches!(answer("exec sleep 60"), Answer::Timeout));
        let report = "echo ==1==ERROR: AddressSanitizer: use-after-poison >&2; exit 1";
        assert!(matches!(answer(report), Answer::Died(how) if how.contains("use-after-poison")));
    }
}
