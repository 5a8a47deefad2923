//! Every pass of the mid-end, every strategy of schedules and every conversion of MLIR has a FileCheck case.

use super::tables::{strings_after, variants};
use futc_midend::pipelines;
use std::path::Path;

/// Where strategies are defined, and their cases.
const STRATEGIES: (&str, &str) = ("midend/src/ir/schedule.rs", "lit-tests/sched");

/// Where conversions are listed, and their cases.
const CONVERSIONS: (&str, &str) = ("mlir-lowering/src/convert/mod.rs", "lit-tests/convert");

/// Where the cases of passes are; those of the pass that writes schedules are among those of strategies.
const PASSES: &[&str] = &["lit-tests/passes", STRATEGIES.1];

/// Checks that nothing is without a case.
pub fn check(root: &Path, findings: &mut Vec<String>) {
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap_or_default();
    let passes = pipelines::all().iter().map(|p| p.name.to_owned()).collect();
    let strategies = variants(&read(STRATEGIES.0), "Strategy");
    let conversions = strings_after(&read(CONVERSIONS.0), "name: ");
    let all: [(&str, Vec<String>, &[&str], Covers); 3] = [
        ("pass", passes, PASSES, |case, name| runs(case, "--passes=", name)),
        ("strategy", strategies, &[STRATEGIES.1], expects),
        ("conversion", conversions, &[CONVERSIONS.1], |case, name| runs(case, "--convert=", name)),
    ];
    for (what, names, folders, covers) in all {
        let cases: Vec<String> = folders.iter().flat_map(|f| cases(&root.join(f))).collect();
        let folder = folders[0];
        if names.is_empty() || cases.is_empty() {
            findings.push(format!("{folder}: no cases, or no {what} that they could be of"));
        }
        for name in names.iter().filter(|name| !cases.iter().any(|case| covers(case, name))) {
            findings.push(format!("{folder}: the {what} `{name}` has no FileCheck case"));
        }
    }
}

/// Whether a case covers what has this name.
type Covers = fn(&str, &str) -> bool;

/// The texts of a folder's files that FileCheck looks at.
fn cases(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let texts = files.filter_map(|f| std::fs::read_to_string(f.path()).ok());
    texts.filter(|t| t.contains("FileCheck")).collect()
}

/// Whether a command of the case gives an option a list with this name in it.
fn runs(case: &str, option: &str, name: &str) -> bool {
    let lists = case.lines().filter(|l| l.contains("RUN:")).flat_map(|l| l.split(option).skip(1));
    lists
        .map(|list| list.split_whitespace().next().unwrap_or_default())
        .any(|list| list.split(',').any(|n| n == name))
}

/// Whether the case expects a line of a schedule with this name in it.
fn expects(case: &str, name: &str) -> bool {
    let expected = case.lines().filter_map(|l| l.split_once("CHECK").map(|(_, rest)| rest));
    expected
        .filter(|l| l.contains("schedule") && !l.starts_with("-NOT"))
        .any(|l| l.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name))
}

#[cfg(test)]
mod tests {
    use super::{expects, runs};

    #[test]
    fn a_pass_is_covered_by_a_command_that_runs_it() {
        let case = "// RUN: futc-opt --passes=fuse,cut-tasks %s | FileCheck %s\n// cut-small-tasks";
        assert!(runs(case, "--passes=", "cut-tasks"));
        assert!(!runs(case, "--passes=", "tasks"));
        assert!(!runs(case, "--passes=", "cut-small-tasks"));
    }

    #[test]
    fn a_strategy_is_covered_by_a_line_that_expects_it() {
        let case = "// CHECK: schedule { lanes 16; loops } segmap\nschedule { tiles }";
        assert!(expects(case, "lanes"));
        assert!(!expects(case, "lane"));
        assert!(!expects(case, "tiles"));
        assert!(!expects("// CHECK-NOT: schedule { lanes 16 }", "lanes"));
    }
}
