//! What figures there are, and what they come from.

use super::extract;

/// A figure.
pub struct Row {
    /// For the command line.
    pub name: &'static str,
    /// What it is of, as `README.md` says it.
    pub what: &'static str,
    /// What it comes from.
    pub source: Source,
}

/// How a figure is found in a text.
type Figure = fn(&str) -> Option<String>;

/// What a figure comes from.
#[derive(Clone, Copy)]
pub enum Source {
    /// A page that a command has written, which says of which commit.
    Page {
        /// The page.
        page: &'static str,
        /// The command.
        by: &'static str,
        /// How the figure is found.
        figure: Figure,
    },
    /// The output of a command: cargo, or a program of the workspace. `DIR` stands for a checkout's tests.
    Run {
        /// The command.
        command: &'static [&'static str],
        /// How the figure is found.
        figure: Figure,
    },
}

impl Source {
    /// As `README.md` tells it.
    pub fn shown(self) -> String {
        match self {
            Source::Page { page, by, .. } => format!("`{by}`, see [{page}]({page})"),
            Source::Run { command, .. } => {
                format!("`{}`", command.join(" ").replacen("xtask ", "cargo xtask ", 1))
            }
        }
    }
}

const CONFORMANCE: &str = "docs/conformance.md";
const BENCHMARKS: &str = "docs/benchmarks.md";

const fn conformance(name: &'static str, what: &'static str, figure: Figure) -> Row {
    let source = Source::Page { page: CONFORMANCE, by: "./x conformance", figure };
    Row { name, what, source }
}

const fn benchmarks(name: &'static str, what: &'static str, figure: Figure) -> Row {
    Row { name, what, source: Source::Page { page: BENCHMARKS, by: "./x bench", figure } }
}

const fn run(
    name: &'static str,
    what: &'static str,
    command: &'static [&'static str],
    figure: Figure,
) -> Row {
    Row { name, what, source: Source::Run { command, figure } }
}

/// Every figure.
pub const ROWS: &[Row] = &[
    conformance(
        "conformance",
        "`diku-dk/futhark`'s tests, checkable cases passing, by backend",
        extract::passing,
    ),
    conformance("crashes", "crashes of the compiler or of programs among them", extract::crashes),
    run(
        "rejects",
        "of its invalid programs, refused for the right reason",
        &["xtask", "conformance", "DIR", "--rejects-only"],
        extract::refused,
    ),
    run(
        "valid",
        "of its valid programs outside of `ad/` and `accs/`, accepted",
        &["cargo", "run", "--release", "-p", "futc-frontend", "--example", "check_all", "DIR"],
        |text| extract::between(text, "valid: ", " accepted"),
    ),
    run(
        "mutants",
        "programs broken at random",
        &["xtask", "mutate", "-t", "5", "--seed", "7"],
        extract::mutants,
    ),
    run(
        "cases-seq",
        "our own program cases, on `seq`",
        &["futc", "test", "--backend=seq", "--no-terminal", "examples", "lit-tests/programs"],
        extract::cases,
    ),
    run(
        "cases-gpu-emu",
        "the same on `gpu-emu`",
        &["futc", "test", "--backend=gpu-emu", "--no-terminal", "examples", "lit-tests/programs"],
        extract::cases,
    ),
    run(
        "cases-interpreter",
        "the same on the interpreter",
        &[
            "futc",
            "test",
            "--backend=interpreter",
            "--no-terminal",
            "examples",
            "lit-tests/programs",
        ],
        extract::cases,
    ),
    run(
        "passes",
        "the same before and after every pass, alone and in the pipelines",
        &["xtask", "passes"],
        |text| {
            Some(
                extract::between(text, "", "; 0 programs")?
                    .replace(" by failing", " by failing as they should"),
            )
        },
    ),
    run(
        "random",
        "generated programs before and after every pass, likewise",
        &["xtask", "random", "-n", "2000", "--seed", "8000000", "-k"],
        |text| extract::between(text, ": ", ";"),
    ),
    run(
        "random-compiled",
        "generated programs, compiled",
        &["xtask", "random", "-n", "300", "--seed", "1200000", "--target", "seq,gpu-emu"],
        extract::compiled,
    ),
    benchmarks(
        "speed",
        "time of our benchmarks over that of the same in C, by the better of gcc and clang `-O3 -march=native`",
        extract::speed,
    ),
    benchmarks(
        "bandwidth",
        "bytes a second of programs over large arrays, over the C library's copy",
        extract::bandwidth,
    ),
    run(
        "edits",
        "what there is to say of 10,000 lines: from nothing, and after an edit in a function",
        &["cargo", "bench", "-p", "futc-benches", "--bench", "edit_time"],
        |text| extract::times(text, &["edit/cold/10000", "edit/body of one function/10000"]),
    ),
    run(
        "automap",
        "checking 1,000 lines of which nearly all leave maps out, and the same with maps written",
        &["cargo", "bench", "-p", "futc-benches", "--bench", "automap"],
        |text| extract::times(text, &["automap/inserted", "automap/written"]),
    ),
    run(
        "check",
        "`futc check` of programs of 10, 100, 1,000 and 10,000 lines",
        &["cargo", "bench", "-p", "futc-benches", "--bench", "compile_time", "--", "check"],
        |text| extract::times(text, &["check/10", "check/100", "check/1000", "check/10000"]),
    ),
    run(
        "long",
        "long programs compiled from nothing, and after an edit in a function: seconds",
        &["cargo", "bench", "-p", "futc-benches", "--bench", "long_programs"],
        extract::long,
    ),
];
