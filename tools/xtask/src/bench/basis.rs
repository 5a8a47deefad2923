//! The tables of the minimal-basis article: what it writes over `map` and `iota`, against what is
//! built in, for sizes from a thousand to a hundred million.

use super::process::{median, succeed};
use super::report::aligned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Title, the entry point of what is built in, and that of the article's.
const TABLES: &[(&str, &str, &str)] = &[
    ("`reduce_tree`", "reduce_builtin", "reduce_of_tree"),
    ("`reduce` by a fixed number of threads", "reduce_builtin", "reduce_of_threads"),
    ("The scan of Hillis and Steele", "scan_builtin", "scan_of_hillis_and_steele"),
    ("The dot product", "dotprod_builtin", "dotprod_of_basis"),
];

/// Runs of each size.
const RUNS: &str = "5";

/// Measures, and writes the tables in Markdown.
pub fn tables(root: &Path, futc: &Path) -> Result<String, String> {
    let times = entry_times(futc, &root.join("benches/minimal_basis/minimal_basis.fut"))?;
    let mut out = String::new();
    for (title, builtin, ours) in TABLES {
        let (Some(builtin), Some(ours)) = (times.get(*builtin), times.get(*ours)) else {
            return Err(format!("{title}: not measured"));
        };
        let mut cells =
            vec![["n", "built-in (ms)", "article's (ms)", "ratio"].map(String::from).into()];
        for (n, fast) in builtin {
            let slow = ours.get(n).ok_or_else(|| format!("{title}: not measured for {n}"))?;
            let ms = |t: f64| format!("{:.3}", t / 1e3);
            // Times are whole microseconds.
            let ratio = if *fast < 1.0 { "–".into() } else { format!("{:.2}", slow / fast) };
            cells.push(vec![n.clone(), ms(*fast), ms(*slow), ratio]);
        }
        out.push_str(&format!("\n### {title}\n\n{}", aligned(&cells)));
    }
    Ok(out)
}

/// By entry point and data set, the median run in microseconds.
type Times = BTreeMap<String, BTreeMap<String, f64>>;

/// What `futc bench` measures of a program.
pub fn entry_times(futc: &Path, program: &Path) -> Result<Times, String> {
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let json = scratch.path().join("times.json");
    let mut bench = Command::new(futc);
    bench.args(["bench", "--backend=seq", "--no-convergence-phase", "--runs", RUNS, "--json"]);
    succeed(bench.arg(&json).arg(program), None)?;
    let text = std::fs::read_to_string(&json).map_err(|e| format!("{}: {e}", json.display()))?;
    let results: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    times(&results)
}

fn times(results: &Value) -> Result<Times, String> {
    let wrong = || "futc bench wrote something else than results".to_owned();
    let mut out = BTreeMap::new();
    for (name, entry) in results.as_object().ok_or_else(wrong)? {
        let (_, entry_point) = name.rsplit_once(':').ok_or_else(wrong)?;
        let mut sizes = BTreeMap::new();
        for (set, result) in entry["datasets"].as_object().ok_or_else(wrong)? {
            let runs = result["runtimes"].as_array().ok_or_else(|| format!("{set}: {result}"))?;
            let mut runs: Vec<f64> = runs.iter().filter_map(Value::as_f64).collect();
            sizes.insert(set.trim_matches('"').to_owned(), median(&mut runs).ok_or_else(wrong)?);
        }
        out.insert(entry_point.to_owned(), sizes);
    }
    Ok(out)
}
