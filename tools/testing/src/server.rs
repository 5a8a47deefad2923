//! A client of server executables (guide, "Server Protocol").

use crate::ending::{self, Running};
use crate::value::{Reader, Value};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// A running server.
pub struct Server {
    child: Arc<Mutex<Child>>,
    /// As long as it runs.
    known: Option<Running>,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    scratch: PathBuf,
    next: u64,
}

/// Ends a server from another thread, whatever it is doing.
#[derive(Clone)]
pub struct Killer(Arc<Mutex<Child>>);

impl Killer {
    /// Ends the server; whoever waits for its answer is told that it is gone.
    pub fn kill(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }
}

/// What goes wrong between client and server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The command failed; the server lives on.
    #[error("{0}")]
    Failure(String),
    /// The server is gone.
    #[error("the server ended: {0}")]
    Gone(String),
}

impl Server {
    /// Starts `program` and waits until it is ready. Files exchanged with it go to `scratch`.
    pub fn start(program: &Path, args: &[String], scratch: &Path) -> Result<Server, ServerError> {
        let mut command = Command::new(program);
        command.args(args);
        Server::start_command(command, scratch)
    }

    /// As [`Server::start`], of a command that runs a server.
    pub fn start_command(mut command: Command, scratch: &Path) -> Result<Server, ServerError> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let (mut child, known) = ending::start(&mut command)
            .map_err(|e| ServerError::Gone(format!("{program}: {e}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ServerError::Gone("no pipes".into()));
        };
        let mut server = Server {
            known: Some(known),
            child: Arc::new(Mutex::new(child)),
            stdin,
            stdout: BufReader::new(stdout),
            scratch: scratch.to_path_buf(),
            next: 0,
        };
        server.answer()?;
        Ok(server)
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What ends this server from another thread.
    pub fn killer(&self) -> Killer {
        Killer(self.child.clone())
    }

    fn answer(&mut self) -> Result<Vec<String>, ServerError> {
        let mut lines = Vec::new();
        let mut failed = None;
        loop {
            let mut line = String::new();
            match self.stdout.read_line(&mut line) {
                Ok(0) => {
                    let how = match self.child().wait() {
                        Ok(status) => status.to_string(),
                        Err(e) => e.to_string(),
                    };
                    return Err(ServerError::Gone(how));
                }
                Err(e) => return Err(ServerError::Gone(e.to_string())),
                Ok(_) => {}
            }
            match line.trim_end_matches('\n') {
                "%%% OK" => break,
                "%%% FAILURE" => failed = Some(lines.len()),
                l => lines.push(l.to_string()),
            }
        }
        match failed {
            Some(at) => Err(ServerError::Failure(lines.split_off(at).join("\n"))),
            None => Ok(lines),
        }
    }

    /// Sends a command of these words and returns the lines of its answer.
    pub fn command(&mut self, words: &[&str]) -> Result<Vec<String>, ServerError> {
        let mut line = String::new();
        for w in words {
            if !line.is_empty() {
                line.push(' ');
            }
            if w.is_empty() || w.contains(char::is_whitespace) {
                line.push('"');
                line.push_str(w);
                line.push('"');
            } else {
                line.push_str(w);
            }
        }
        line.push('\n');
        self.stdin
            .write_all(line.as_bytes())
            .and_then(|()| self.stdin.flush())
            .map_err(|e| ServerError::Gone(e.to_string()))?;
        self.answer()
    }

    /// A variable name not used before.
    pub fn fresh(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    /// Puts a value into a fresh variable.
    pub fn put(&mut self, value: &Value) -> Result<String, ServerError> {
        let ty = "[]".repeat(value.shape.len()) + value.prim.name();
        self.put_as(value, &ty)
    }

    /// As [`Server::put`], of a type that the program may know by another name.
    pub fn put_as(&mut self, value: &Value, ty: &str) -> Result<String, ServerError> {
        let var = self.fresh();
        let file = self.scratch.join(format!("{var}.in"));
        std::fs::write(&file, value.to_binary()).map_err(|e| ServerError::Gone(e.to_string()))?;
        let path = file.to_string_lossy().into_owned();
        let done = self.command(&["restore", &path, &var, ty]);
        let _ = std::fs::remove_file(&file);
        done?;
        Ok(var)
    }

    /// The value of a transparent variable.
    pub fn get(&mut self, var: &str) -> Result<Value, ServerError> {
        let file = self.scratch.join(format!("{var}.out"));
        let path = file.to_string_lossy().into_owned();
        self.command(&["store", &path, var])?;
        let bytes = std::fs::read(&file).map_err(|e| ServerError::Gone(e.to_string()))?;
        let _ = std::fs::remove_file(&file);
        let values = Reader::new(&bytes).all().map_err(|e| ServerError::Failure(e.to_string()))?;
        values.into_iter().next().ok_or_else(|| ServerError::Failure("no value stored".into()))
    }

    /// Puts the value of a variable, which is of type `ty`, into another, fresh one.
    pub fn copy(&mut self, var: &str, ty: &str) -> Result<String, ServerError> {
        let copy = self.fresh();
        let file = self.scratch.join(format!("{copy}.copy"));
        let path = file.to_string_lossy().into_owned();
        let done = self
            .command(&["store", &path, var])
            .and_then(|_| self.command(&["restore", &path, &copy, ty]));
        let _ = std::fs::remove_file(&file);
        done?;
        Ok(copy)
    }

    /// Names and types of the fields of a record type, or of an array of records.
    pub fn fields(&mut self, ty: &str) -> Result<Vec<(String, String)>, ServerError> {
        let lines = self.command(&["fields", ty])?;
        let fields = lines.iter().filter_map(|l| l.split_once(' '));
        Ok(fields.map(|(n, t)| (n.to_owned(), t.to_owned())).collect())
    }

    /// The constructors of a sum type with the types of their payloads.
    pub fn variants(&mut self, ty: &str) -> Result<Vec<(String, Vec<String>)>, ServerError> {
        let mut out: Vec<(String, Vec<String>)> = Vec::new();
        for line in self.command(&["variants", ty])? {
            match (line.strip_prefix("- "), out.last_mut()) {
                (Some(payload), Some((_, types))) => types.push(payload.to_owned()),
                _ => out.push((line, Vec::new())),
            }
        }
        Ok(out)
    }

    /// Types of the inputs of an entry point, `*` for consumed ones.
    pub fn inputs(&mut self, entry: &str) -> Result<Vec<String>, ServerError> {
        self.command(&["inputs", entry])
    }

    /// Types of its outputs.
    pub fn outputs(&mut self, entry: &str) -> Result<Vec<String>, ServerError> {
        self.command(&["outputs", entry])
    }

    /// Calls an entry point; returns the variables of the results.
    pub fn call(&mut self, entry: &str, args: &[String]) -> Result<Vec<String>, ServerError> {
        Ok(self.timed_call(entry, args)?.0)
    }

    /// As [`Server::call`]; also the run time that the server reports, in microseconds.
    pub fn timed_call(
        &mut self,
        entry: &str,
        args: &[String],
    ) -> Result<(Vec<String>, f64), ServerError> {
        let n = self.outputs(entry)?.len();
        let outs: Vec<String> = (0..n).map(|_| self.fresh()).collect();
        let mut words = vec!["call", entry];
        words.extend(outs.iter().map(String::as_str));
        words.extend(args.iter().map(String::as_str));
        let said = self.command(&words)?;
        let time = said
            .iter()
            .find_map(|l| l.strip_prefix("runtime:")?.trim().parse::<f64>().ok())
            .ok_or_else(|| ServerError::Failure("the server reported no run time".into()))?;
        Ok((outs, time))
    }

    /// Forgets variables.
    pub fn free(&mut self, vars: &[String]) -> Result<(), ServerError> {
        if vars.is_empty() {
            return Ok(());
        }
        let mut words = vec!["free"];
        words.extend(vars.iter().map(String::as_str));
        self.command(&words).map(drop)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.known = None;
        let mut child = self.child();
        let _ = child.kill();
        let _ = child.wait();
    }
}
