//! Long programs, start to executable: from nothing, after an edit of one function with what the cache
//! has of the rest, and unchanged; and with another compiler, if `OLD` names one. Prints a table of medians:
//! seconds, seconds of all processors, and the size of the program.
//!
//! `cargo bench -p futc-benches --bench long_programs`; `FUTC` names the compiler, `RUNS` says how often
//! each is measured (5), `OPTION` is given to both compilers, as `--target=seq`.

#![allow(missing_docs, clippy::expect_used, reason = "a benchmark may stop")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A program, and an edit of one of its functions.
struct Long {
    name: &'static str,
    text: String,
    /// What to replace, and by what; the round number is put in the place of `#`.
    edit: (&'static str, &'static str),
}

struct Figures {
    seconds: f64,
    processors: f64,
    bytes: u64,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn main() {
    // Cargo tells benchmarks that they are ones; under `cargo test` there is nothing to measure.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    let futc =
        std::env::var_os("FUTC").map_or_else(|| root().join("target/release/futc"), PathBuf::from);
    let old = std::env::var_os("OLD").map(PathBuf::from);
    let runs = std::env::var("RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let programs = [
        Long {
            name: "600 functions behind 50 entry points",
            text: futc_benches::small_functions(50),
            edit: ("x * 300 + y", "x * 300.# + y"),
        },
        Long {
            name: "10,000 lines that call each other",
            text: futc_benches::reached_program(10_000),
            edit: ("if m > 300 ", "if m > 300.# "),
        },
        Long {
            name: "10,000 lines of which a tenth is reached",
            text: futc_benches::generated_program(10_000),
            edit: ("else d * 30\n", "else d * 30.#\n"),
        },
    ];
    println!("| Program | | seconds | of all processors | bytes | over the first |");
    println!("|:---|:---|---:|---:|---:|---:|");
    for program in &programs {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        let measured = |futc: &Path, round: &dyn Fn(usize) -> Option<usize>, cold: bool| {
            let figures = (0..runs).map(|i| once(futc, scratch.path(), program, round(i), cold));
            median(figures.collect())
        };
        let mut rows = Vec::new();
        if let Some(old) = &old {
            rows.push(("old compiler", measured(old, &|_| None, true)));
        }
        rows.push(("from nothing, no cache", measured(&futc, &|_| None, true)));
        // Fills the cache.
        once(&futc, scratch.path(), program, None, false);
        rows.push(("one function edited", measured(&futc, &|i| Some(i + 1), false)));
        rows.push(("unchanged", measured(&futc, &|_| None, false)));
        let first = rows.first().map_or(1.0, |(_, f)| f.seconds);
        for (what, f) in &rows {
            let Figures { seconds, processors, bytes } = f;
            let over = seconds / first;
            println!(
                "| {} | {what} | {seconds:.2} | {processors:.2} | {bytes} | {over:.2} |",
                program.name
            );
        }
    }
}

/// One compilation, edited in a way that no other round is.
fn once(futc: &Path, folder: &Path, program: &Long, round: Option<usize>, cold: bool) -> Figures {
    let text = match round {
        None => program.text.clone(),
        Some(round) => {
            let new = program.edit.1.replace('#', &round.to_string());
            assert_eq!(program.text.matches(program.edit.0).count(), 1, "{}", program.name);
            program.text.replace(program.edit.0, &new)
        }
    };
    let (file, output) = (folder.join("p.fut"), folder.join("p"));
    std::fs::write(&file, text).expect("written");
    let mut command = Command::new(futc);
    command.args(std::env::var_os("OPTION"));
    command.arg("-w").arg(&file).arg("-o").arg(&output);
    command.env("XDG_CACHE_HOME", folder);
    match cold {
        true => command.env("FUTC_CACHE_SIZE", "0"),
        false => command.env_remove("FUTC_CACHE_SIZE"),
    };
    let (before, start) = (processors(), Instant::now());
    let done = command.output().expect("futc starts");
    let seconds = start.elapsed().as_secs_f64();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let bytes = std::fs::metadata(&output).expect("there").len();
    Figures { seconds, processors: processors() - before, bytes }
}

/// Seconds that processes this one has waited for have run, as Linux counts them: in hundredths.
fn processors() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may have blanks; the 14th and 15th of what follows the process's state.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(13).take(2).filter_map(|f| f.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn median(mut all: Vec<Figures>) -> Figures {
    all.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let middle = all.len() / 2;
    all.into_iter().nth(middle).expect("measured at least once")
}
