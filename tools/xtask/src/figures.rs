//! The figures in `README.md`: each is measured by a command, or stands on a page that a command has written,
//! and says of which commit it is.
//!
//! The table of `README.md` between two marks is written again. Figures that are not measured this time stay
//! as they are, with their commit.

mod extract;
mod rows;
mod table;

pub use extract::commit_line;

use rows::{ROWS, Row, Source};
use std::path::{Path, PathBuf};
use std::process::Command;
use table::{Entry, Table};

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Rows by name; without any, those that stand on pages. `all` measures everything.
    names: Vec<String>,
    /// The `tests` directory of a checkout of diku-dk/futhark, for rows about its programs.
    #[arg(long, value_name = "DIR")]
    tests: Option<PathBuf>,
    /// What builds are looked for, beside the pages: `debug` or `release`.
    #[arg(long, default_value = "release")]
    profile: String,
    /// Tell the names of rows and what measures them, and do nothing.
    #[arg(long)]
    list: bool,
}

/// Measures, and writes the table.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    if args.list {
        for row in ROWS {
            println!("{:<18} {}", row.name, row.source.shown());
        }
        return Ok(());
    }
    let known = |name: &&String| *name == "all" || ROWS.iter().any(|r| r.name == name.as_str());
    if let Some(name) = args.names.iter().find(|n| !known(n)) {
        return Err(format!("there is no row {name}; --list tells the names"));
    }
    let page = root.join("README.md");
    let text = std::fs::read_to_string(&page).map_err(|e| format!("README.md: {e}"))?;
    let mut table = Table::read(&text)?;
    let commit = commit(root)?;
    let mut failures = Vec::new();
    for row in ROWS.iter().filter(|r| wanted(r, &args.names)) {
        match measure(root, args, row, &commit) {
            Ok(entry) => {
                println!("{}: {} ({})", row.name, entry.figure, entry.commit);
                table.set(row, entry);
            }
            Err(e) => failures.push(format!("{}: {e}", row.name)),
        }
    }
    std::fs::write(&page, table.write(&text)?).map_err(|e| format!("README.md: {e}"))?;
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn wanted(row: &Row, names: &[String]) -> bool {
    if names.is_empty() {
        return matches!(row.source, Source::Page { .. });
    }
    names.iter().any(|n| n == "all" || n == row.name)
}

/// The figure of a row, and of which commit it is.
fn measure(root: &Path, args: &Args, row: &Row, commit: &str) -> Result<Entry, String> {
    let nothing = || format!("no figure found by `{}`", row.source.shown());
    match row.source {
        Source::Page { page, figure, .. } => {
            let text =
                std::fs::read_to_string(root.join(page)).map_err(|e| format!("{page}: {e}"))?;
            let of = extract::commit_of(&text).ok_or_else(|| format!("{page} tells no commit"))?;
            let figure = figure(&text).ok_or_else(nothing)?;
            Ok(Entry { figure, commit: of.into() })
        }
        Source::Run { command, figure } => {
            let output = output(root, args, command)?;
            Ok(Entry { figure: figure(&output).ok_or_else(nothing)?, commit: commit.into() })
        }
    }
}

/// What a command says. It may end with an error: that some programs fail is a figure, too.
fn output(root: &Path, args: &Args, command: &[&str]) -> Result<String, String> {
    let [program, arguments @ ..] = command else { return Err("no command".into()) };
    // What cargo runs, it builds; of the workspace's own, what is there is taken.
    let program = match *program {
        "cargo" => PathBuf::from("cargo"),
        own => root.join("target").join(&args.profile).join(own),
    };
    let mut run = Command::new(&program);
    for argument in arguments {
        match (*argument, &args.tests) {
            ("DIR", Some(dir)) => run.arg(dir),
            ("DIR", None) => return Err("needs --tests DIR".into()),
            (argument, _) => run.arg(argument),
        };
    }
    let out = run
        .current_dir(root)
        .output()
        .map_err(|e| format!("{}: {e}; build it first", program.display()))?;
    let text = [out.stdout, out.stderr].concat();
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The commit of the checkout, with `-dirty` behind it if something has been changed since; `README.md`,
/// where figures go, and the pages that they come from do not count.
pub fn commit(root: &Path) -> Result<String, String> {
    let git = |args: &[&str]| -> Result<String, String> {
        let out = Command::new("git")
            .args(args)
            .current_dir(root)
            .output()
            .map_err(|e| format!("git: {e}"))?;
        if out.status.success() {
            Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
        } else {
            Err(format!("git: {}", String::from_utf8_lossy(&out.stderr).trim()))
        }
    };
    let head = git(&["rev-parse", "--short=7", "HEAD"])?;
    let changed =
        git(&["status", "--porcelain", "--", ".", ":(exclude)README.md", ":(exclude)docs"])?;
    Ok(if changed.is_empty() { head } else { format!("{head}-dirty") })
}
