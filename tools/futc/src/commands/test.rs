//! `futc test`.

use crate::args::{Backend, TestArgs};
use crate::commands::compile::only_for;
use crate::exit::{Exit, Failure};
use crate::output::{no_input, write_file};
use crate::testing::build::Build;
use crate::testing::case::{Config, Mode, test_program};
use crate::testing::node::Pool;
use crate::testing::report::Report;
use futc_testing::files::{Kind, Scratch};
use futc_testing::programs::programs_in;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Tests every program named or found below a directory named.
pub fn run(args: &TestArgs) -> Result<Exit, Failure> {
    let programs = programs_in(&args.paths).map_err(Failure::usage)?;
    if let Some(file) = &args.json {
        no_input(file, &programs)?;
    }
    let mode = if args.typecheck {
        Mode::Typecheck
    } else if args.compile_only {
        Mode::Compile
    } else if args.interpret || args.backend == Backend::Interpreter {
        Mode::Interpret
    } else {
        Mode::Run
    };
    let sanitized = matches!(args.backend, Backend::Target(t) if t.sanitizer);
    if args.sanitize.is_some() && (!sanitized || mode == Mode::Interpret) {
        return Err(only_for("--sanitize", "--backend", |t| t.sanitizer));
    }
    let scratch = Scratch::new("futc-test-").map_err(Failure::new)?;
    let build = Build::new(&args.programs)?.sanitized(args.sanitize);
    let properties = futc_testing::property::Config {
        tests: args.num_tests,
        size: i64::from(args.max_size),
        seed: args.seed.unwrap_or_else(random_seed),
        tries: args.num_tries,
    };
    let scratch_path = scratch.path().to_path_buf();
    let scripts = matches!(args.backend, Backend::Target(t) if t.machine.is_some());
    let node = (scripts && args.programs.runner.is_empty()).then(Pool::default);
    let config = Config { args, build, mode, properties, node, scratch: scratch_path };
    let workers = args
        .concurrency
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1)
        .clamp(1, 256);
    let next = AtomicUsize::new(0);
    let mut report = Report::new(programs.len(), args.no_terminal);
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..workers {
            let send = send.clone();
            let (next, programs, config) = (&next, &programs, &config);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(p) = programs.get(i) else { return };
                    if send.send((p, test_program(config, p, i))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (program, results) in receive {
            report.add(program, &results, args.no_terminal);
        }
    });
    report.finish();
    if let Some(file) = &args.json {
        write_file(file, report.json().to_string().as_bytes(), Kind::Data)?;
    }
    Ok(if report.failed == 0 { Exit::Success } else { Exit::Failed })
}

/// Another number each time; failures of properties tell it.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(0)
}
