//! Runs single passes over Core IR text, so that each can be tested alone:
//! `futc-opt --passes=dead-code,simplify in.core | FileCheck in.core`.
//!
//! The program is verified before the first pass and after every one, unless `--no-verify`. An
//! input may hold several programs between lines `// -----`; with `--split-input` each is run by
//! itself.

use clap::Parser;
use futc_midend::ir::parse::parse_program;
use futc_midend::pipelines::{self, Pass, Runner};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs passes over Core IR text.
#[derive(Parser, Debug)]
#[command(name = "futc-opt", version)]
struct Args {
    /// The passes to run, in order, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    passes: Vec<String>,
    /// The program; `-` is standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Do not verify.
    #[arg(long)]
    no_verify: bool,
    /// Run each program between lines `// -----` by itself.
    #[arg(long)]
    split_input: bool,
    /// Print the program to standard error after these passes.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    print_after: Vec<String>,
    /// Say on standard error how long each pass took.
    #[arg(long)]
    time_passes: bool,
    /// List the passes.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    // Programs nest as deep as their authors like; the passes recurse.
    let worker = std::thread::Builder::new().stack_size(1 << 30).spawn(move || run(&args));
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err("compiler bug: a pass panicked".to_string()),
        Err(e) => Err(format!("cannot start: {e}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    if args.list {
        let lines: Vec<String> = pipelines::all()
            .iter()
            .map(|p| format!("{:<20} {}\n", p.name, p.description))
            .collect();
        return put(&lines.concat());
    }
    let passes = find(&args.passes)?;
    find(&args.print_after)?;
    let text = read(&args.file)?;
    let mut runner = Runner {
        verify: !args.no_verify,
        print_after: args.print_after.clone(),
        ..Runner::default()
    };
    let mut first_line = 0;
    for (i, part) in parts(&text, args.split_input).into_iter().enumerate() {
        if i > 0 {
            put("// -----\n")?;
        }
        put(&pass_over(part, first_line, &passes, &mut runner, &args.file)?)?;
        first_line += part.lines().count() as u32 + 1;
    }
    if args.time_passes {
        eprint!("{}", runner.timings());
    }
    Ok(())
}

fn find(names: &[String]) -> Result<Vec<Pass>, String> {
    let all = pipelines::all();
    names
        .iter()
        .map(|name| {
            all.iter()
                .find(|p| p.name == name)
                .copied()
                .ok_or_else(|| format!("there is no pass {name}; see --list"))
        })
        .collect()
}

fn read(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let result = if file == Path::new("-") {
        io::stdin().read_to_string(&mut text).map(|_| ())
    } else {
        std::fs::read_to_string(file).map(|t| text = t)
    };
    result.map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(text)
}

fn put(text: &str) -> Result<(), String> {
    io::stdout().write_all(text.as_bytes()).map_err(|e| format!("standard output: {e}"))
}

/// The programs of the input; one if it is not to be split.
fn parts(text: &str, split: bool) -> Vec<&str> {
    if split { text.split("// -----\n").collect() } else { vec![text] }
}

/// The program after the passes, as text.
fn pass_over(
    text: &str,
    first_line: u32,
    passes: &[Pass],
    runner: &mut Runner,
    file: &Path,
) -> Result<String, String> {
    let program = parse_program(text).map_err(|mut e| {
        e.line += first_line;
        format!("{}:{e}", file.display())
    })?;
    if runner.verify {
        pipelines::check("reading", &program).map_err(|e| e.what)?;
    }
    let program = runner.run(passes, program).map_err(|e| e.to_string())?;
    Ok(program.to_string())
}
