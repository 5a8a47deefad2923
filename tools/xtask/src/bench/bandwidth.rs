//! Programs that only move memory, as a fraction of the bandwidth of the C library's copy.

use super::basis;
use super::peers::Kind;
use super::process::{median, succeed};
use super::report::aligned;
use std::path::Path;
use std::process::Command;

/// Numbers of four bytes in the data set (`benches/bandwidth`).
const COUNT: f64 = (1 << 26) as f64;

/// Entry point, how often it passes over its numbers, and the fraction that is our goal.
const PROGRAMS: &[(&str, &str, f64, f64)] = &[
    ("sum", "`reduce (+) 0`", 1.0, 0.9),
    ("increment", "`map (+ 1)`", 2.0, 0.9),
    ("running_sum", "`scan (+) 0`", 2.0, 0.8),
];

/// Rounds in which programs and copy take turns.
const ROUNDS: usize = 7;

/// Measures, and writes the table in Markdown.
pub fn table(root: &Path, futc: &Path) -> Result<String, String> {
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = root.join("benches/bandwidth");
    let copy = scratch.path().join("copy");
    let compiler = Kind::Gcc.compiler().ok_or("gcc is not installed")?;
    let mut compile = Command::new(compiler);
    compile.args(["-std=gnu17", "-O3", "-march=native"]).arg(folder.join("copy.c"));
    succeed(compile.arg("-o").arg(&copy), None)?;
    let mut copies = Vec::new();
    let mut ours = vec![Vec::new(); PROGRAMS.len()];
    for _ in 0..ROUNDS {
        let out = scratch.path().join("time");
        succeed(&mut Command::new(&copy), Some(&out))?;
        let text = std::fs::read_to_string(&out).map_err(|e| format!("copy: {e}"))?;
        copies.push(text.trim().parse::<f64>().map_err(|e| format!("copy: {e}"))?);
        let times = basis::entry_times(futc, &folder.join("bandwidth.fut"))?;
        for ((entry, ..), ours) in PROGRAMS.iter().zip(&mut ours) {
            let sets = times.get(*entry).ok_or_else(|| format!("{entry}: not measured"))?;
            ours.extend(sets.values());
        }
    }
    // Bytes in a microsecond are megabytes in a second.
    let rate = |passes: f64, time: f64| 4.0 * COUNT * passes / time;
    let row = |name: &str, rate: f64, fraction: String, goal: String| {
        vec![name.to_owned(), format!("{:.2}", rate / 1e3), fraction, goal]
    };
    let copy = rate(2.0, median(&mut copies).ok_or("the copy was not measured")?);
    let mut cells = vec![
        ["program", "GB/s", "of the copy's", "goal"].map(String::from).into(),
        row("`memcpy`", copy, "1.00".into(), String::new()),
    ];
    for ((_, name, passes, goal), times) in PROGRAMS.iter().zip(&mut ours) {
        let rate = rate(*passes, median(times).ok_or_else(|| format!("{name}: not measured"))?);
        cells.push(row(name, rate, format!("{:.2}", rate / copy), format!("{goal:.2}")));
    }
    Ok(aligned(&cells))
}
