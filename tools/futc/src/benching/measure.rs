//! Measuring one data set on a running server.

use super::results::Measured;
use super::statistics::summarise;
use crate::testing::case::compare_with;
use futc_testing::block::{Case, Expected, Input};
use futc_testing::input::{input_values, read_data};
use futc_testing::script;
use futc_testing::server::Server;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long the first phase lasts at least.
const FIRST_PHASE: Duration = Duration::from_millis(500);

/// What is asked of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Runs of the first phase, at least.
    pub runs: usize,
    /// How long the convergence phase may take; none is made without.
    pub convergence: Option<Duration>,
    /// How long all runs of the data set may take.
    pub limit: Option<Duration>,
}

/// Runs a case until its run time is known well (guide, `futhark-bench`, "Methodology").
/// A wrong result is an error, as is a run-time error.
pub fn measure(
    server: &mut Server,
    program: &Path,
    case: &Case,
    plan: Plan,
) -> Result<Measured, String> {
    let Some(limit) = plan.limit else { return run(server, program, case, plan) };
    // The server is ended when time is up, which the run notices.
    let killer = server.killer();
    std::thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        let watch = scope.spawn(move || {
            let late = wait.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                killer.kill();
            }
            late
        });
        let result = run(server, program, case, plan);
        drop(done);
        match watch.join() {
            Ok(true) => Err(format!("out of time after {} s", limit.as_secs_f64())),
            Ok(false) | Err(_) => result,
        }
    })
}

fn run(server: &mut Server, program: &Path, case: &Case, plan: Plan) -> Result<Measured, String> {
    let mut runner = Runner::new(server, program, case)?;
    runner.check()?;
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < plan.runs.max(1) || start.elapsed() < FIRST_PHASE {
        times.push(runner.run()?);
    }
    let robust = |times: &[f64]| summarise(times).is_some_and(|s| s.robust);
    if let Some(most) = plan.convergence
        && !robust(&times)
    {
        times.clear();
        let start = Instant::now();
        let mut look = plan.runs.max(10);
        while start.elapsed() < most {
            times.push(runner.run()?);
            // Not after every run: that would be quadratic in their number.
            if times.len() >= look {
                if robust(&times) {
                    break;
                }
                look += look / 20 + 1;
            }
        }
        if times.is_empty() {
            times.push(runner.run()?);
        }
    }
    Ok(Measured { times, peak: peaks(server) })
}

/// A case whose arguments are in the server.
struct Runner<'a> {
    server: &'a mut Server,
    program: &'a Path,
    case: &'a Case,
    args: Vec<String>,
    /// Arguments are consumed, so that every run needs new ones.
    consumes: bool,
}

impl<'a> Runner<'a> {
    fn new(server: &'a mut Server, program: &'a Path, case: &'a Case) -> Result<Self, String> {
        let inputs = server.inputs(&case.entry).map_err(|e| e.to_string())?;
        let consumes = inputs.iter().any(|i| i.starts_with('*'));
        let mut runner = Runner { server, program, case, args: Vec::new(), consumes };
        runner.load()?;
        Ok(runner)
    }

    fn load(&mut self) -> Result<(), String> {
        let dir = self.program.parent().unwrap_or(Path::new(""));
        let text = match &self.case.input {
            Input::Script(s) => s.clone(),
            Input::ScriptFile(f) => {
                String::from_utf8_lossy(&read_data(self.program, f)?).into_owned()
            }
            Input::Values(_) | Input::File(_) | Input::Random(_) => {
                self.args = input_values(self.program, &self.case.input)?
                    .iter()
                    .map(|v| self.server.put(v).map_err(|e| e.to_string()))
                    .collect::<Result<_, _>>()?;
                return Ok(());
            }
        };
        let value = script::evaluate(&script::parse(&text)?, self.server, dir)?;
        self.args = script::arguments(self.server, dir, &self.case.entry, value)?;
        Ok(())
    }

    /// The warm-up run, whose result is compared with the one expected.
    fn check(&mut self) -> Result<(), String> {
        let called = self.server.timed_call(&self.case.entry, &self.args);
        let (outs, _) = match (&self.case.expected, called) {
            (Expected::Error(_), _) => return Err("the case expects an error".into()),
            (_, Err(e)) => return Err(e.to_string()),
            (_, Ok(result)) => result,
        };
        let expected = match &self.case.expected {
            Expected::Values(text) => Some(text.clone().into_bytes()),
            Expected::File(name) => Some(read_data(self.program, name)?),
            Expected::Auto | Expected::Error(_) | Expected::Success => None,
        };
        if let Some(expected) = expected {
            let values = outs
                .iter()
                .map(|o| self.server.get(o).map_err(|e| e.to_string()))
                .collect::<Result<Vec<_>, _>>()?;
            compare_with(&values, &expected)?;
        }
        self.clean(&outs)
    }

    fn clean(&mut self, outs: &[String]) -> Result<(), String> {
        self.server.free(outs).map_err(|e| e.to_string())?;
        if self.consumes {
            let args = std::mem::take(&mut self.args);
            self.server.free(&args).map_err(|e| e.to_string())?;
            self.load()?;
        }
        Ok(())
    }

    fn run(&mut self) -> Result<f64, String> {
        let (outs, time) =
            self.server.timed_call(&self.case.entry, &self.args).map_err(|e| e.to_string())?;
        self.clean(&outs)?;
        Ok(time)
    }
}

/// The peaks of memory use that the server reports, in bytes by memory space.
fn peaks(server: &mut Server) -> BTreeMap<String, i64> {
    let Ok(lines) = server.command(&["report"]) else { return BTreeMap::new() };
    let report: serde_json::Value = serde_json::from_str(&lines.join("\n")).unwrap_or_default();
    let spaces = report.get("memory").and_then(serde_json::Value::as_object);
    let bytes =
        |(space, bytes): (&String, &serde_json::Value)| Some((space.clone(), bytes.as_i64()?));
    spaces.into_iter().flatten().filter_map(bytes).collect()
}
