//! The table, the page, and whether all is well.

use super::table::Refactoring;
use crate::bench::report::{aligned, geometric_mean, machine};
use std::fmt::Write as _;

/// A refactoring that takes more than this of the original's time costs something.
pub const LIMIT: f64 = 1.1;

/// What became of a program by a refactoring.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// There is nothing to change.
    NotThere,
    /// It was changed, and nothing more was asked for.
    Unmeasured { made: usize, refused: Vec<String> },
    /// It is the same code.
    Same { made: usize },
    /// Its time over that of the original.
    Timed { made: usize, ratio: f64 },
    /// It could not be compiled or run, or its result is another one.
    Failed(String),
}

impl Outcome {
    fn ratio(&self) -> Option<f64> {
        match self {
            Outcome::Same { .. } => Some(1.0),
            Outcome::Timed { ratio, .. } => Some(*ratio),
            Outcome::NotThere | Outcome::Unmeasured { .. } | Outcome::Failed(_) => None,
        }
    }

    fn cell(&self) -> String {
        match self {
            Outcome::NotThere => "-".to_owned(),
            Outcome::Unmeasured { made, .. } => format!("({made})"),
            Outcome::Same { .. } => "=".to_owned(),
            Outcome::Timed { ratio, .. } if *ratio > LIMIT => format!("{ratio:.2} (!)"),
            Outcome::Timed { ratio, .. } => format!("{ratio:.2}"),
            Outcome::Failed(_) => "failed".to_owned(),
        }
    }
}

/// A program with what became of it by each refactoring.
pub struct Row {
    pub program: String,
    pub outcomes: Vec<Outcome>,
}

/// A program in one line, for those who wait, and what is to be said besides.
pub fn line(row: &Row, refactorings: &[&Refactoring]) -> String {
    let mut out = format!("{}:", row.program);
    for (r, outcome) in refactorings.iter().zip(&row.outcomes) {
        let _ = write!(out, " {} {}", r.name, outcome.cell());
    }
    out.push('\n');
    for (r, outcome) in refactorings.iter().zip(&row.outcomes) {
        match outcome {
            Outcome::Unmeasured { refused, .. } => {
                refused.iter().for_each(|why| {
                    let _ = writeln!(out, "    {}: refused: {why}", r.name);
                });
            }
            Outcome::Failed(why) => {
                let _ = writeln!(out, "    {}: {why}", r.name);
            }
            Outcome::NotThere | Outcome::Same { .. } | Outcome::Timed { .. } => {}
        }
    }
    out
}

/// All pairs of a program and a refactoring that is there, with the ratio, if there is one.
fn pairs<'r>(
    rows: &'r [Row],
    refactorings: &'r [&Refactoring],
) -> impl Iterator<Item = (&'r str, &'r str, &'r Outcome)> {
    rows.iter().flat_map(move |row| {
        let each = refactorings.iter().zip(&row.outcomes);
        each.map(move |(r, outcome)| (row.program.as_str(), r.name, outcome))
    })
}

/// The table, and counts.
pub fn table(rows: &[Row], refactorings: &[&Refactoring]) -> String {
    let mut cells = vec![vec!["program".to_owned()]];
    if let Some(head) = cells.first_mut() {
        head.extend(refactorings.iter().map(|r| r.name.to_owned()));
    }
    for row in rows {
        let mut line = vec![row.program.clone()];
        line.extend(row.outcomes.iter().map(Outcome::cell));
        cells.push(line);
    }
    let measured: Vec<(&str, &str, f64)> =
        pairs(rows, refactorings).filter_map(|(p, r, o)| Some((p, r, o.ratio()?))).collect();
    let same = pairs(rows, refactorings).filter(|p| matches!(p.2, Outcome::Same { .. })).count();
    let above = measured.iter().filter(|m| m.2 > LIMIT).count();
    let mut out = aligned(&cells);
    let _ = write!(
        out,
        "\n{} pairs of a program and a refactoring; {same} are the same code; {above} take more than {LIMIT} of the \
         original's time",
        measured.len()
    );
    if let Some((program, name, ratio)) = measured.iter().max_by(|a, b| a.2.total_cmp(&b.2)) {
        let _ = write!(out, "; the worst is {program} by `{name}`, {ratio:.2}");
    }
    if let Some(mean) = geometric_mean(measured.iter().map(|m| m.2)) {
        let _ = write!(out, "; the geometric mean is {mean:.3}");
    }
    out.push_str(".\n");
    out
}

/// The whole page.
pub fn page(rows: &[Row], refactorings: &[&Refactoring], commit: &str) -> String {
    let mut out = "# Refactorings, measured\n\n\
         How a program is written must not matter for how quick it is. `cargo xtask refactor` rewrites each program of\n\
         `benches/programs` in each of these ways, as often as there is something to rewrite:\n\n"
        .to_owned();
    for r in refactorings {
        let _ = writeln!(out, "* `{}`: {};", r.name, r.what);
    }
    let _ = write!(
        out,
        "\nand compares the code (`--emit=asm`, without the places in messages). Where it is the same, the table has `=`; where \
         not,\nthe results must agree, both run in turns, and the table has the ratio of the medians of the times, rewritten \
         over\noriginal. What differs by more than a factor of {LIMIT} is measured again, with more runs; then the ratio of medians \
         or that\nof quickest runs counts, whichever is nearer to 1. Above {LIMIT} it is marked (!). `-`: there is nothing to \
         rewrite.\n\nChanges that the checker refuses are left out, as where a module hides what would be a new name. `cargo xtask \
         refactor --out\ndocs/refactorings.md` writes this page; `--save` keeps the rewritten programs.\n\nMeasured on: {}; \
         commit {commit}.\n\n{}",
        machine(),
        table(rows, refactorings)
    );
    out
}

/// Whether all is well: nothing failed or takes longer, and of `whole` programs each refactoring is there for one at least.
pub fn verdict(rows: &[Row], refactorings: &[&Refactoring], whole: bool) -> Result<(), String> {
    let mut wrong = Vec::new();
    for (program, name, outcome) in pairs(rows, refactorings) {
        match outcome {
            Outcome::Failed(why) => wrong.push(format!("{program} by {name}: {why}")),
            Outcome::Timed { ratio, .. } if *ratio > LIMIT => {
                wrong.push(format!("{program} by {name} takes {ratio:.2} of the time"));
            }
            _ => {}
        }
    }
    for (i, r) in refactorings.iter().enumerate().filter(|_| whole) {
        if rows.iter().all(|row| matches!(row.outcomes.get(i), Some(Outcome::NotThere))) {
            wrong.push(format!("{} is nowhere", r.name));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("refactorings cost something:\n{}", wrong.join("\n"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Row, line, table, verdict};
    use crate::refactor::table::ALL;

    fn rows(second: [Outcome; 2]) -> Vec<Row> {
        let first = vec![Outcome::Same { made: 2 }, Outcome::NotThere];
        let row = |program: &str, outcomes| Row { program: program.into(), outcomes };
        vec![row("p", first), row("q", second.into())]
    }

    #[test]
    fn what_costs_something_is_told() {
        let two: Vec<_> = ALL.iter().take(2).collect();
        let slow = Outcome::Timed { made: 1, ratio: 1.25 };
        let quick = Outcome::Timed { made: 1, ratio: 0.8 };
        let all = rows([slow.clone(), quick.clone()]);
        let text = table(&all, &two);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("| p | = | - |"), "{text}");
        assert!(words.contains("| q | 1.25 (!) | 0.80 |"), "{text}");
        assert!(
            words.contains(
                "3 pairs of a program and a refactoring; 1 are the same code; 1 take more"
            ),
            "{text}"
        );
        assert!(
            words.contains(&format!(
                "the worst is q by `{}`, 1.25; the geometric mean is 1.000",
                ALL.first().map_or("", |r| r.name)
            )),
            "{text}"
        );
        assert!(verdict(&all, &two, true).is_err_and(|e| e.contains("1.25")));
        assert_eq!(verdict(&rows([quick.clone(), quick.clone()]), &two, true), Ok(()));
        // What is nowhere is wrong, unless only some programs were looked at.
        let nowhere = rows([quick, Outcome::NotThere]);
        assert!(verdict(&nowhere, &two, true).is_err_and(|e| e.contains("is nowhere")));
        assert_eq!(verdict(&nowhere, &two, false), Ok(()));
        let failed = rows([Outcome::Failed("no".into()), slow]);
        assert!(verdict(&failed, &two, false).is_err_and(|e| e.contains("no")));
        assert!(failed.last().is_some_and(|row| line(row, &two).contains("failed")));
    }
}
