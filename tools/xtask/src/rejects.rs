//! Whether programs that must be refused are refused for the right reason: of the names of the
//! diagnostics about a program, one is what the expected message stands for.
//!
//! What messages stand for is written in a table of `docs/conformance.md`, by hand: each row has
//! names, and what is expected where these are right: the text of a test's `error:`, or the path of
//! a program whose text says too little. A program's path comes first.

use crate::guard::{Outcome, guarded};
use futc_frontend::db::{Db as _, diagnostics, program};
use futc_frontend::diag::Severity;
use futc_testing::programs::programs_in;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The heading of the table that is written by hand.
pub const MAPPING: &str = "## What expected messages stand for";
/// The heading of the table of results.
pub const RESULTS: &str = "## Programs to be refused";
/// A program that is not checked by then hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A program to be refused.
struct Program {
    path: PathBuf,
    relative: String,
    folder: String,
    expected: String,
}

/// Results by folder.
#[derive(Default, Clone, Copy)]
struct Count {
    programs: usize,
    refused: usize,
    right: usize,
    crashed: usize,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.programs += other.programs;
        self.refused += other.refused;
        self.right += other.right;
        self.crashed += other.crashed;
    }

    fn row(self, folder: &str) -> String {
        let share = |n: usize| format!("{n} ({:.1} %)", 100.0 * n as f64 / self.programs as f64);
        format!(
            "| {folder} | {} | {} | {} |",
            self.programs,
            share(self.refused),
            share(self.right)
        )
    }
}

/// The section of `text` that begins with `heading`, up to the next heading of its level.
pub fn section<'a>(text: &'a str, heading: &str) -> Option<&'a str> {
    let start = text.find(&format!("{heading}\n"))?;
    let rest = text.get(start..)?;
    let end = rest.get(3..).and_then(|r| r.find("\n## ")).map_or(rest.len(), |i| i + 4);
    rest.get(..end)
}

/// Names by what is expected.
fn mapping(text: &str) -> Result<BTreeMap<String, BTreeSet<String>>, String> {
    let table = section(text, MAPPING).ok_or_else(|| format!("there is no section {MAPPING:?}"))?;
    let quoted = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in table.lines().filter(|l| l.starts_with("| `")) {
        let mut cells = line.split(" | ");
        let names = quoted(cells.next().unwrap_or(""));
        let expected = quoted(cells.next().unwrap_or(""));
        if names.is_empty() || expected.is_empty() {
            return Err(format!("a row without names or messages: {line}"));
        }
        for e in expected {
            out.entry(e).or_default().extend(names.iter().cloned());
        }
    }
    Ok(out)
}

/// The programs below `dir` that must be refused, but for those in folders `left_out`.
fn programs(dir: &Path, left_out: &[&str]) -> Result<Vec<Program>, String> {
    let mut paths = programs_in(&[dir.to_owned()])?;
    let among = |path: &Path| {
        let folders = path.parent().and_then(|p| p.strip_prefix(dir).ok());
        folders.into_iter().flatten().any(|f| left_out.iter().any(|l| f == *l))
    };
    paths.retain(|p| !among(p));
    let mut out = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        // A broken test block is reported by `futc test`.
        let Ok(spec) = futc_testing::block::parse(&text) else { continue };
        let Some(expected) = spec.error else { continue };
        let relative = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
        let folder = relative.rsplit_once('/').map_or("(top)", |(f, _)| f).to_owned();
        out.push(Program { path, relative, folder, expected: expected.text });
    }
    Ok(out)
}

/// The names of the errors of each program; none if it is accepted.
fn outcomes(programs: &[Program]) -> Result<Vec<Outcome<BTreeSet<&'static str>>>, String> {
    let paths = programs.iter().map(|p| p.path.clone()).collect();
    guarded(paths, TIME_LIMIT, |db, path: &PathBuf| {
        let root = db.source(&path.to_string_lossy());
        let said = diagnostics(db, root);
        let errors = said.iter().filter(|d| d.severity == Severity::Error);
        let names: BTreeSet<&'static str> = errors.map(|d| d.code.name()).collect();
        if names.is_empty() {
            let _ = program(db, root);
        }
        names
    })
}

/// Checks the programs below `dir`, prints those that are not refused for the right reason, and
/// returns the section of `docs/conformance.md` with the results. `text` is that file as it is.
pub fn run(dir: &Path, left_out: &[&str], text: &str) -> Result<String, String> {
    let mapping = mapping(text)?;
    let programs = programs(dir, left_out)?;
    let mut by_folder: BTreeMap<&str, Count> = BTreeMap::new();
    let mut wrong: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut unused: BTreeSet<&str> = mapping.keys().map(String::as_str).collect();
    for (p, outcome) in programs.iter().zip(outcomes(&programs)?) {
        let mut count = Count { programs: 1, ..Count::default() };
        let row = mapping.get_key_value(&p.relative).or_else(|| mapping.get_key_value(&p.expected));
        if let Some((key, _)) = row {
            unused.remove(key.as_str());
        } else {
            println!("UNMAPPED {}: expected {:?}", p.relative, p.expected);
        }
        let wanted = row.map(|(_, names)| names.iter().cloned().collect::<Vec<_>>().join(" or "));
        let wanted = wanted.unwrap_or_else(|| "(not in the table)".into());
        match outcome {
            Outcome::Done(names) if names.is_empty() => {
                println!("ACCEPTED {}: should be {wanted}", p.relative);
                *wrong.entry((wanted, "accepted".into())).or_default() += 1;
            }
            Outcome::Panicked(_) | Outcome::Hung => {
                count.crashed = 1;
                println!("CRASHED or hung {}", p.relative);
                *wrong.entry((wanted, "crashed".into())).or_default() += 1;
            }
            Outcome::Done(names) => {
                count.refused = 1;
                let right = row.is_some_and(|(_, w)| names.iter().any(|n| w.contains(*n)));
                count.right = usize::from(right);
                if !right {
                    let names = names.into_iter().collect::<Vec<_>>().join(", ");
                    println!("WRONG REASON {}: {names}; should be {wanted}", p.relative);
                    *wrong.entry((wanted, names)).or_default() += 1;
                }
            }
        }
        by_folder.entry(&p.folder).or_default().add(count);
    }
    for key in unused {
        println!("no program expects {key:?} any more");
    }
    let mut total = Count::default();
    let mut out = format!(
        "{RESULTS}\n\nA program is refused for the right reason if one of the names of its errors is \
         what the message\nexpected of it stands for. `cargo xtask conformance DIR --rejects-only` runs this \
         alone.\n\n| folder | programs | refused | for the right reason |\n| --- | --- | --- | --- |\n"
    );
    for (folder, count) in &by_folder {
        total.add(*count);
        println!("{}", count.row(folder));
        let _ = writeln!(out, "{}", count.row(folder));
    }
    println!("{}\ncrashed or hung: {}", total.row("all"), total.crashed);
    let _ = writeln!(out, "{}\n\nCrashed or hung: {}.", total.row("**all**"), total.crashed);
    if !wrong.is_empty() {
        let _ = writeln!(out, "\n| programs | should be | is |\n| --- | --- | --- |");
        let mut wrong: Vec<_> = wrong.into_iter().collect();
        wrong.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        for ((wanted, is), n) in wrong {
            let _ = writeln!(out, "| {n} | {wanted} | {is} |");
        }
    }
    out.push('\n');
    Ok(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const TEXT: &str = "# A\n\n## What expected messages stand for\n\n| names | expected |\n\
                        | --- | --- |\n| `a-b`, `c-d` | `x.*y`, `dir/p.fut` |\n| `e-f` | `x.*y` |\n\
                        \n## Other\n\n| `no-one` | `z` |\n";

    #[test]
    fn rows_of_the_table_add_up() {
        let m = mapping(TEXT).unwrap();
        assert_eq!(m.keys().collect::<Vec<_>>(), ["dir/p.fut", "x.*y"]);
        let names: Vec<_> = m.get("x.*y").unwrap().iter().collect();
        assert_eq!(names, ["a-b", "c-d", "e-f"]);
        assert!(mapping("# A\n").is_err());
        assert!(mapping(&format!("{MAPPING}\n\n| `a-b` | nothing |\n")).is_err());
    }

    #[test]
    fn sections_end_where_the_next_begins() {
        let s = section(TEXT, MAPPING).unwrap();
        assert!(s.starts_with(MAPPING) && s.ends_with("| `e-f` | `x.*y` |\n\n"), "{s:?}");
        assert_eq!(section(TEXT, "## Other").unwrap(), "## Other\n\n| `no-one` | `z` |\n");
        assert_eq!(section(TEXT, "## Absent"), None);
    }
}
