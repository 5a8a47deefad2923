//! Testing one program: compile it once, run every case.

use super::build::Build;
use super::node::Pool;
use super::process::{Ending, Outcome, run};
use crate::args::{Backend, TestArgs};
use futc_mlir::Target;
use futc_testing::block::{self, Case, Expected, Input, TestSpec};
use futc_testing::compare::compare_all;
use futc_testing::input::{input_bytes, read_data};
use futc_testing::property::{self, Trouble};
use futc_testing::script;
use futc_testing::server::Server;
use futc_testing::value::{Reader, Value};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// What is done with a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Check it.
    Typecheck,
    /// Compile it.
    Compile,
    /// Compile and run it.
    Run,
    /// Interpret it.
    Interpret,
}

/// How tests are run.
#[derive(Debug)]
pub struct Config<'a> {
    /// The command line.
    pub args: &'a TestArgs,
    /// How programs are compiled and run.
    pub build: Build<'a>,
    /// What to do.
    pub mode: Mode,
    /// How properties are tested.
    pub properties: property::Config,
    /// What runs programs that are scripts for Node.js, if they are.
    pub node: Option<Pool>,
    /// Where compiled programs and other passing files go.
    pub scratch: PathBuf,
}

/// How a case ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As expected.
    Passed,
    /// Not as expected.
    Failed(String),
    /// The compiler or the program crashed: a signal or a panic.
    Crashed(String),
    /// Left out, and why.
    Skipped(&'static str),
}

/// A case with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseResult {
    /// What was tested: `compile`, or entry point and data set.
    pub name: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The case has an output or error to be compared with.
    pub checkable: bool,
}

/// The exit status of a Rust program that panicked.
const PANIC: i32 = 101;
/// How reports of sanitizers begin; whatever the exit status is, something is wrong.
const REPORTS: [&str; 3] =
    ["ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "WARNING: ThreadSanitizer"];

impl Config<'_> {
    fn limit(&self) -> Duration {
        Duration::from_secs(self.args.timeout)
    }

    /// What runs the programs.
    pub fn backend(&self) -> Backend {
        match self.mode {
            Mode::Interpret => Backend::Interpreter,
            Mode::Typecheck | Mode::Compile | Mode::Run => self.args.backend,
        }
    }

    fn excluded(&self, tags: &[String]) -> bool {
        tags.iter().any(|t| {
            t == "disable"
                || self.args.exclude.contains(t)
                || match self.backend() {
                    Backend::Interpreter => {
                        t.strip_prefix("no_") == Some(Backend::Interpreter.name())
                    }
                    Backend::Target(target) => target.is_excluded_by(t),
                }
        })
    }
}

fn one(name: &str, verdict: Verdict, checkable: bool) -> Vec<CaseResult> {
    vec![CaseResult { name: name.into(), verdict, checkable }]
}

/// Tests one program.
pub fn test_program(config: &Config<'_>, program: &Path, index: usize) -> Vec<CaseResult> {
    let text = match std::fs::read(program) {
        Ok(t) => String::from_utf8_lossy(&t).into_owned(),
        Err(e) => return one("read", Verdict::Failed(e.to_string()), false),
    };
    let spec = match block::parse(&text) {
        Ok(s) => s,
        Err(e) => return one("test block", Verdict::Failed(e), false),
    };
    if config.excluded(&spec.tags) {
        return one("program", Verdict::Skipped("tag"), false);
    }
    if let Some(pattern) = &spec.error {
        let outcome = check(config, program);
        let verdict = match outcome {
            Ok(o) => match crash(&o) {
                Some(c) => Verdict::Crashed(c),
                None if o.ending == Ending::Code(0) => {
                    Verdict::Failed("expected an error, but the program was accepted".into())
                }
                None if pattern.matches(&o.stderr) => Verdict::Passed,
                None => Verdict::Failed(format!(
                    "expected error matching\n  {}\nbut got\n{}",
                    pattern.text, o.stderr
                )),
            },
            Err(e) => Verdict::Failed(e),
        };
        return one("rejects", verdict, true);
    }
    match config.mode {
        Mode::Typecheck => {
            let outcome = check(config, program);
            let verdict = match &outcome {
                Ok(o) => succeeded(o, "check").map_or_else(
                    |v| v,
                    |()| {
                        spec.warnings
                            .iter()
                            .find(|w| !w.matches(&o.stderr))
                            .map_or(Verdict::Passed, |w| {
                                Verdict::Failed(format!("expected warning matching {}", w.text))
                            })
                    },
                ),
                Err(e) => Verdict::Failed(e.clone()),
            };
            one("check", verdict, false)
        }
        Mode::Interpret => {
            let mut out = Vec::new();
            for case in &spec.cases {
                out.push(interpret_case(config, program, case));
            }
            for name in &spec.properties {
                // Values of any type are made, shown and shrunk through the server protocol.
                let verdict = Verdict::Skipped("properties need compiled code");
                out.extend(one(&property_name(name), verdict, true));
            }
            if spec.cases.is_empty() {
                let verdict = match check(config, program) {
                    Ok(o) => succeeded(&o, "check").err().unwrap_or(Verdict::Passed),
                    Err(e) => Verdict::Failed(e),
                };
                out.extend(one("check", verdict, false));
            }
            out
        }
        Mode::Compile | Mode::Run => {
            let has_property = !spec.properties.is_empty() || text.contains("#[prop");
            compile_and_run(config, program, &spec, has_property, index)
        }
    }
}

fn check(config: &Config<'_>, program: &Path) -> Result<Outcome, String> {
    let mut command = Command::new(&config.build.compiler);
    command.arg("check").arg(program);
    run(command, Vec::new(), config.limit())
}

fn crash(o: &Outcome) -> Option<String> {
    if REPORTS.iter().any(|r| o.stderr.contains(r)) {
        return Some(format!("reported by a sanitizer\n{}", o.stderr));
    }
    match o.ending {
        Ending::Signal(s) => Some(format!("ended by signal {s}\n{}", o.stderr)),
        Ending::Code(PANIC) => Some(format!("panicked\n{}", o.stderr)),
        Ending::Code(_) | Ending::Timeout => None,
    }
}

fn succeeded(o: &Outcome, what: &str) -> Result<(), Verdict> {
    if let Some(c) = crash(o) {
        return Err(Verdict::Crashed(format!("{what}: {c}")));
    }
    match o.ending {
        Ending::Code(0) => Ok(()),
        Ending::Timeout => Err(Verdict::Failed(format!("{what}: out of time"))),
        Ending::Code(_) | Ending::Signal(_) => {
            Err(Verdict::Failed(format!("{what} failed:\n{}", o.stderr)))
        }
    }
}

fn compile(
    config: &Config<'_>,
    program: &Path,
    target: &str,
    server: bool,
    output: &Path,
) -> Result<(), Verdict> {
    let command = config.build.compile(program, target, server, output);
    let o = run(command, Vec::new(), config.limit()).map_err(Verdict::Failed)?;
    succeeded(&o, "compilation")
}

fn case_name(case: &Case) -> String {
    format!("{} {}", case.entry, case.name)
}

fn property_name(entry: &str) -> String {
    format!("property {entry}")
}

fn checkable(case: &Case) -> bool {
    !matches!(case.expected, Expected::Success)
}

fn compile_and_run(
    config: &Config<'_>,
    program: &Path,
    spec: &TestSpec,
    has_property: bool,
    index: usize,
) -> Vec<CaseResult> {
    let binary = config.scratch.join(format!("{index}"));
    let compiled = compile(config, program, config.args.backend.name(), false, &binary);
    let running = config.mode == Mode::Run;
    let mut out = Vec::new();
    if spec.cases.is_empty() && spec.properties.is_empty() || !running {
        let verdict = compiled.clone().err().unwrap_or(Verdict::Passed);
        out.extend(one("compile", verdict, false));
    }
    if running {
        let mut programs =
            Programs { config, program, binary: &binary, reference: None, server: None };
        for case in &spec.cases {
            let verdict = match (&compiled, skip(config, case)) {
                (_, Some(why)) => Verdict::Skipped(why),
                (Err(v), None) => v.clone(),
                (Ok(()), None) => programs.run_case(case).err().unwrap_or(Verdict::Passed),
            };
            out.push(CaseResult { name: case_name(case), verdict, checkable: checkable(case) });
        }
        for name in &spec.properties {
            let verdict = match &compiled {
                Err(v) => v.clone(),
                Ok(()) => programs.run_property(name).err().unwrap_or(Verdict::Passed),
            };
            out.extend(one(&property_name(name), verdict, true));
        }
        if compiled.is_ok() && has_property {
            for (name, verdict) in programs.forgotten_properties(&spec.properties) {
                out.extend(one(&name, verdict, true));
            }
        }
        for p in programs.reference.iter().chain(&programs.server) {
            let _ = std::fs::remove_file(p);
        }
    }
    let _ = std::fs::remove_file(&binary);
    out
}

fn skip(config: &Config<'_>, case: &Case) -> Option<&'static str> {
    if case.tags.iter().any(|t| t == "notest") || config.excluded(&case.tags) {
        return Some("tag");
    }
    if config.mode == Mode::Interpret && case.tags.iter().any(|t| t == "compiled") {
        return Some("for compiled code only");
    }
    None
}

fn verdict_of(trouble: Trouble) -> Verdict {
    match trouble {
        Trouble::Failed(why) => Verdict::Failed(why),
        Trouble::Crashed(why) => Verdict::Crashed(why),
    }
}

/// The executables of one program.
struct Programs<'a> {
    config: &'a Config<'a>,
    program: &'a Path,
    binary: &'a Path,
    /// Compiled for `seq`, for `auto output` on other targets.
    reference: Option<PathBuf>,
    server: Option<PathBuf>,
}

impl Programs<'_> {
    fn run_case(&mut self, case: &Case) -> Result<(), Verdict> {
        if matches!(case.input, Input::Script(_) | Input::ScriptFile(_)) {
            return self.run_script(case);
        }
        let input = input_bytes(self.program, &case.input).map_err(Verdict::Failed)?;
        let by_node = self.config.node.as_ref().and_then(|node| {
            node.run(self.binary, &self.arguments(case), &input, self.config.limit())
        });
        let o = match by_node {
            Some(outcome) => outcome,
            None => self.execute(self.binary, case, input.clone())?,
        };
        if let Some(c) = crash(&o) {
            return Err(Verdict::Crashed(c));
        }
        if let Expected::Error(pattern) = &case.expected {
            return match o.ending {
                Ending::Code(0) => {
                    Err(Verdict::Failed("expected an error, but it succeeded".into()))
                }
                _ if pattern.matches(&o.stderr) => Ok(()),
                _ => Err(Verdict::Failed(format!(
                    "expected error matching\n  {}\nbut got\n{}",
                    pattern.text, o.stderr
                ))),
            };
        }
        succeeded(&o, "run")?;
        let expected = match &case.expected {
            Expected::Success | Expected::Error(_) => return Ok(()),
            Expected::Auto => {
                if self.config.args.backend == Backend::Target(Target::reference()) {
                    // The reference is what was just run.
                    return Ok(());
                }
                let reference = self.reference()?;
                let r = self.execute(&reference, case, input)?;
                succeeded(&r, "reference run")?;
                r.stdout
            }
            Expected::Values(text) => text.clone().into_bytes(),
            Expected::File(name) => read_data(self.program, name).map_err(Verdict::Failed)?,
        };
        let actual = Reader::new(&o.stdout)
            .all()
            .map_err(|e| Verdict::Failed(format!("the program's output: {e}")))?;
        compare_with(&actual, &expected).map_err(Verdict::Failed)
    }

    fn reference(&mut self) -> Result<PathBuf, Verdict> {
        if let Some(r) = &self.reference {
            return Ok(r.clone());
        }
        let target = Target::reference().name;
        let file = self.binary.with_extension(target);
        compile(self.config, self.program, target, false, &file)?;
        self.reference = Some(file.clone());
        Ok(file)
    }

    fn execute(&self, binary: &Path, case: &Case, input: Vec<u8>) -> Result<Outcome, Verdict> {
        let mut command = self.config.build.execute(binary);
        command.args(self.arguments(case));
        run(command, input, self.config.limit()).map_err(Verdict::Failed)
    }

    fn arguments(&self, case: &Case) -> Vec<String> {
        let mut arguments = vec!["-b".to_owned(), "-e".to_owned(), case.entry.clone()];
        arguments.extend(self.options());
        arguments
    }

    fn options(&self) -> Vec<String> {
        self.config.build.run_options(self.program)
    }

    /// Does `work` with a server of the program, which is ended when its time is up.
    fn with_server<T>(&mut self, work: impl FnOnce(&mut Server) -> T) -> Result<T, Verdict> {
        let binary = match &self.server {
            Some(s) => s.clone(),
            None => {
                let file = self.binary.with_extension("server");
                compile(self.config, self.program, self.config.args.backend.name(), true, &file)?;
                self.server = Some(file.clone());
                file
            }
        };
        let fail = |e: &dyn std::fmt::Display| Verdict::Failed(e.to_string());
        let scratch = self.binary.with_extension("vars");
        std::fs::create_dir_all(&scratch).map_err(|e| fail(&e))?;
        let mut command = self.config.build.execute(&binary);
        command.args(self.options());
        let mut server = Server::start_command(command, &scratch).map_err(|e| fail(&e))?;
        let killer = server.killer();
        let limit = self.config.limit();
        let (finished, wait) = mpsc::channel::<()>();
        let (done, late) = std::thread::scope(|scope| {
            let watch = scope.spawn(move || {
                let late = wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
                if late {
                    killer.kill();
                }
                late
            });
            let done = work(&mut server);
            drop(finished);
            (done, watch.join().unwrap_or(false))
        });
        drop(server);
        let _ = std::fs::remove_dir_all(&scratch);
        match late {
            true => Err(Verdict::Failed(format!("out of time after {} s", limit.as_secs()))),
            false => Ok(done),
        }
    }

    fn run_property(&mut self, name: &str) -> Result<(), Verdict> {
        let config = self.config.properties;
        self.with_server(|server| property::test(server, name, &config))?.map_err(verdict_of)
    }

    /// Properties of which no test block says so, and what is to be said of them.
    fn forgotten_properties(&mut self, declared: &[String]) -> Vec<(String, Verdict)> {
        let found = self
            .with_server(|server| property::undeclared(server, declared))
            .and_then(|found| found.map_err(verdict_of));
        match found {
            Err(verdict) => vec![("properties".to_owned(), verdict)],
            Ok(names) => names
                .iter()
                .map(|name| {
                    let why = "has the attribute #[prop], but no test block says 'property: ";
                    (property_name(name), Verdict::Failed(format!("{why}{name}'")))
                })
                .collect(),
        }
    }

    fn run_script(&mut self, case: &Case) -> Result<(), Verdict> {
        let dir = self.program.parent().unwrap_or(Path::new(""));
        let text = match &case.input {
            Input::Script(s) => s.clone(),
            Input::ScriptFile(f) => {
                let bytes = read_data(self.program, f).map_err(Verdict::Failed)?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
            Input::Values(_) | Input::File(_) | Input::Random(_) => return Ok(()),
        };
        let parsed = script::parse(&text).map_err(Verdict::Failed)?;
        let fail = |e: String| Verdict::Failed(e);
        let result = self.with_server(|server| {
            let value = script::evaluate(&parsed, server, dir)?;
            let args = script::arguments(server, dir, &case.entry, value)?;
            let outs = server.call(&case.entry, &args).map_err(|e| e.to_string())?;
            let mut values = Vec::new();
            if matches!(case.expected, Expected::Values(_) | Expected::File(_)) {
                for o in &outs {
                    values.push(server.get(o).map_err(|e| e.to_string())?);
                }
            }
            Ok::<_, String>(values)
        })?;
        match (&case.expected, result) {
            (Expected::Error(p), Err(e)) if p.matches(&e) => Ok(()),
            (Expected::Error(p), Err(e)) => {
                Err(fail(format!("expected error matching\n  {}\nbut got\n{e}", p.text)))
            }
            (Expected::Error(_), Ok(_)) => Err(fail("expected an error, but it succeeded".into())),
            (_, Err(e)) => Err(fail(e)),
            (Expected::Success | Expected::Auto, Ok(_)) => Ok(()),
            (Expected::Values(t), Ok(values)) => compare_with(&values, t.as_bytes()).map_err(fail),
            (Expected::File(name), Ok(values)) => {
                let expected = read_data(self.program, name).map_err(fail)?;
                compare_with(&values, &expected).map_err(fail)
            }
        }
    }
}

/// Whether values are those in `expected`; says where they differ.
pub fn compare_with(actual: &[Value], expected: &[u8]) -> Result<(), String> {
    let expected =
        Reader::wrapping(expected).all().map_err(|e| format!("the expected output: {e}"))?;
    match compare_all(actual, &expected, 1).first() {
        None => Ok(()),
        Some(d) => Err(d.0.clone()),
    }
}

fn interpret_case(config: &Config<'_>, program: &Path, case: &Case) -> CaseResult {
    let result =
        |verdict| CaseResult { name: case_name(case), verdict, checkable: checkable(case) };
    if let Some(why) = skip(config, case) {
        return result(Verdict::Skipped(why));
    }
    if matches!(case.input, Input::Script(_) | Input::ScriptFile(_)) {
        return result(Verdict::Skipped("scripts need compiled code"));
    }
    if matches!(case.expected, Expected::Auto) {
        return result(Verdict::Skipped("the reference is compiled code"));
    }
    let outcome = input_bytes(program, &case.input).and_then(|input| {
        let mut command = Command::new(&config.build.compiler);
        command.arg("run").arg("-b").arg("-w").arg("-e").arg(&case.entry).arg(program);
        run(command, input, config.limit())
    });
    let o = match outcome {
        Ok(o) => o,
        Err(e) => return result(Verdict::Failed(e)),
    };
    if let Some(c) = crash(&o) {
        return result(Verdict::Crashed(c));
    }
    let verdict = match &case.expected {
        Expected::Error(p) => match o.ending {
            Ending::Code(0) => Verdict::Failed("expected an error, but it succeeded".into()),
            _ if p.matches(&o.stderr) => Verdict::Passed,
            _ => Verdict::Failed(format!(
                "expected error matching\n  {}\nbut got\n{}",
                p.text, o.stderr
            )),
        },
        Expected::Success | Expected::Auto => succeeded(&o, "run").err().unwrap_or(Verdict::Passed),
        Expected::Values(_) | Expected::File(_) => {
            let expected = match &case.expected {
                Expected::File(f) => read_data(program, f),
                Expected::Values(t) => Ok(t.clone().into_bytes()),
                Expected::Error(_) | Expected::Success | Expected::Auto => Ok(Vec::new()),
            };
            succeeded(&o, "run")
                .and_then(|()| {
                    let expected = expected.map_err(Verdict::Failed)?;
                    let actual = Reader::new(&o.stdout)
                        .all()
                        .map_err(|e| Verdict::Failed(format!("the program's output: {e}")))?;
                    compare_with(&actual, &expected).map_err(Verdict::Failed)
                })
                .err()
                .unwrap_or(Verdict::Passed)
        }
    };
    result(verdict)
}
