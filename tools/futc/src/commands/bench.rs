//! `futc bench` (guide, `futhark-bench`).

use crate::args::BenchArgs;
use crate::benching::measure::{Plan, measure};
use crate::benching::results::{Measured, Results};
use crate::benching::statistics::summarise;
use crate::exit::{Exit, Failure};
use crate::output::{no_input, write_file};
use crate::testing::build::Build;
use crate::testing::process::{Ending, run as run_process};
use futc_testing::block::{self, Case, TestSpec};
use futc_testing::files::{Kind, Scratch};
use futc_testing::programs::programs_in;
use futc_testing::server::Server;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A program to be measured.
struct Benchmark {
    program: PathBuf,
    cases: Vec<Case>,
    binary: PathBuf,
}

/// Compiles every program that has data sets, then measures one after the other.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let scratch = Scratch::new("futc-bench-").map_err(Failure::new)?;
    let build = Build::new(&args.programs)?;
    let mut benchmarks = Vec::new();
    let programs = programs_in(&args.paths).map_err(Failure::usage)?;
    if let Some(file) = &args.json {
        no_input(file, &programs)?;
    }
    for program in programs {
        benchmarks.extend(benchmark(args, program, benchmarks.len(), scratch.path())?);
    }
    if !args.skip_compilation {
        compile(args, &build, &benchmarks)?;
    }
    let mut results = Results::default();
    let mut failed = false;
    for b in &benchmarks {
        failed |= !measure_program(args, &build, b, scratch.path(), &mut results);
    }
    if let Some(file) = &args.json {
        write_file(file, results.to_json().to_string().as_bytes(), Kind::Data)?;
    }
    Ok(if failed { Exit::Failed } else { Exit::Success })
}

/// The data sets of a program; `None` if it has none, for then it is not even compiled.
fn benchmark(
    args: &BenchArgs,
    program: PathBuf,
    index: usize,
    scratch: &Path,
) -> Result<Option<Benchmark>, Failure> {
    let path = program.display().to_string();
    for pattern in &args.ignore_files {
        let regex = regex::Regex::new(pattern)
            .map_err(|e| Failure::usage(format!("--ignore-files: {e}")))?;
        if regex.is_match(&path) {
            return Ok(None);
        }
    }
    let fail = |what: String| Failure::usage(format!("{path}: {what}"));
    let spec = specification(args, &program).map_err(fail)?;
    let left_out = |tags: &[String]| {
        tags.iter().any(|t| {
            t == "nobench"
                || t == "disable"
                || args.backend.is_excluded_by(t)
                || args.exclude_case.contains(t)
        })
    };
    if spec.error.is_some() || left_out(&spec.tags) {
        return Ok(None);
    }
    let cases: Vec<Case> = spec
        .cases
        .into_iter()
        .filter(|c| !left_out(&c.tags))
        .filter(|c| args.entry_point.is_empty() || args.entry_point.contains(&c.entry))
        .filter(|c| !matches!(c.expected, block::Expected::Error(_)))
        .collect();
    let binary = if args.skip_compilation {
        program.with_extension("")
    } else {
        scratch.join(format!("{index}"))
    };
    Ok((!cases.is_empty()).then_some(Benchmark { program, cases, binary }))
}

fn specification(args: &BenchArgs, program: &Path) -> Result<TestSpec, String> {
    let text = match &args.spec_file {
        Some(file) => {
            let text =
                std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
            text.lines().map(|l| format!("-- {l}\n")).collect()
        }
        None => std::fs::read_to_string(program).map_err(|e| e.to_string())?,
    };
    block::parse(&text)
}

fn compile(args: &BenchArgs, build: &Build<'_>, all: &[Benchmark]) -> Result<(), Failure> {
    let workers = args
        .concurrency
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1)
        .clamp(1, 256);
    let bar = std::io::stderr().is_terminal().then(|| ProgressBar::new(all.len() as u64));
    if let Some(bar) = &bar
        && let Ok(style) = ProgressStyle::with_template("compiling {bar:30} {pos}/{len}")
    {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), Failure> {
        while let Some(b) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            if args.verbose > 0 {
                eprintln!("compiling {}", b.program.display());
            }
            let command = build.compile(&b.program, args.backend.name, true, &b.binary);
            let outcome = run_process(command, Vec::new(), Duration::from_secs(600));
            let failure = match outcome {
                Ok(o) if o.ending == Ending::Code(0) => None,
                Ok(o) => Some(o.stderr),
                Err(e) => Some(e),
            };
            if let Some(why) = failure {
                let name = b.program.display();
                return Err(Failure::new(format!("{name} does not compile:\n{why}")));
            }
            if let Some(bar) = &bar {
                bar.inc(1);
            }
        }
        Ok(())
    };
    let done = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|t| match t.join() {
            Ok(result) => result,
            Err(_) => Err(Failure::new("compiler bug: a thread that compiles has panicked")),
        })
    });
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    done
}

/// Whether all went well.
fn measure_program(
    args: &BenchArgs,
    build: &Build<'_>,
    b: &Benchmark,
    scratch: &Path,
    results: &mut Results,
) -> bool {
    let tuning = match build.tuning_file(&b.program) {
        Some(file) => format!("using {file}"),
        None => "no tuning file".into(),
    };
    println!("\n{} ({tuning}):", b.program.display());
    let mut ok = true;
    let mut entry = "";
    let width = b.cases.iter().map(|c| c.name.chars().count()).max().unwrap_or(0);
    // Started anew after a failure.
    let mut server: Option<Server> = None;
    for case in &b.cases {
        if case.entry != entry {
            entry = &case.entry;
            println!("{entry}:");
        }
        let result = server_for(&mut server, build, b, scratch)
            .and_then(|s| measure(s, &b.program, case, plan(args)));
        if result.is_err() {
            server = None;
            ok = false;
        }
        println!("{}", line(&case.name, width, &result, args.verbose > 0));
        results.add(&format!("{}:{entry}", b.program.display()), &case.name, result);
    }
    ok
}

fn server_for<'s>(
    server: &'s mut Option<Server>,
    build: &Build<'_>,
    b: &Benchmark,
    scratch: &Path,
) -> Result<&'s mut Server, String> {
    let started = match server.take() {
        Some(s) => s,
        None => {
            let mut command = build.execute(&b.binary);
            command.args(build.run_options(&b.program));
            Server::start_command(command, scratch).map_err(|e| e.to_string())?
        }
    };
    Ok(server.insert(started))
}

fn plan(args: &BenchArgs) -> Plan {
    let seconds = |s: f64| Duration::try_from_secs_f64(s).ok();
    Plan {
        runs: args.runs,
        convergence: if args.no_convergence_phase {
            None
        } else {
            seconds(args.convergence_max_seconds)
        },
        limit: seconds(args.timeout),
    }
}

/// A row of the report.
fn line(name: &str, width: usize, result: &Result<Measured, String>, memory: bool) -> String {
    let measured = match result {
        Ok(m) => m,
        Err(e) => return format!("{name:width$}  failed: {e}"),
    };
    let Some(s) = summarise(&measured.times) else { return format!("{name:width$}  no runs") };
    let mut out = format!(
        "{name:width$} {:>10.0} μs (95 % CI: [{:.1}, {:.1}]; median {:.0} μs of {} runs)",
        s.mean,
        s.low,
        s.high,
        s.median,
        measured.times.len()
    );
    if memory {
        for (space, bytes) in &measured.peak {
            out.push_str(&format!("; {space}: {bytes} bytes"));
        }
    }
    out
}
