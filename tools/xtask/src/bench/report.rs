//! The table of the benchmarks, and the page around it.

use super::args::Args;
use super::peers::Kind;
use super::row::Row;
use super::stages;
use std::fmt::Write as _;

/// What the runtime's code and tables take that a C program of its own has no use for, in bytes. A peak
/// above C's by more than this and the largest array is marked.
const RUNTIME: u64 = 256 << 10;

/// The rows as a table of Markdown, the geometric means last.
pub fn table(rows: &[Row], kinds: &[Kind]) -> String {
    let mut head: Vec<String> =
        ["program", "futc (ms)", "best C (ms)", "futc / best C"].map(String::from).into();
    head.extend(kinds.iter().map(|k| format!("futc / {k}")));
    head.extend(
        ["peak of futc (MiB)", "peak of C (MiB)", "compiled in (s)", "costliest pass"]
            .map(String::from),
    );
    let mut cells: Vec<Vec<String>> = rows.iter().map(|r| row(r, kinds)).collect();
    let mut means = vec!["**geometric mean**".into(), String::new(), String::new()];
    means.push(ratio(geometric_mean(rows.iter().filter_map(Row::ratio))));
    for kind in kinds {
        means.push(ratio(geometric_mean(rows.iter().filter_map(|r| r.ratio_to(*kind)))));
    }
    means.resize(head.len(), String::new());
    cells.push(means);
    cells.insert(0, head);
    aligned(&cells)
}

fn row(row: &Row, kinds: &[Kind]) -> Vec<String> {
    let best = row.best_c();
    let mut cells = vec![
        row.name.clone(),
        format!("{:.2}", row.futc.time / 1e3),
        best.map_or("–".into(), |c| format!("{:.2}", c.time / 1e3)),
        ratio(row.ratio()),
    ];
    cells.extend(kinds.iter().map(|k| ratio(row.ratio_to(*k))));
    let mebibytes = |bytes: u64| format!("{:.1}", bytes as f64 / f64::from(1 << 20));
    let much = best.is_some_and(|c| row.futc.memory > c.memory + row.largest + RUNTIME);
    cells.push(format!("{}{}", mebibytes(row.futc.memory), if much { " (!)" } else { "" }));
    cells.push(best.map_or("–".into(), |c| mebibytes(c.memory)));
    cells.push(format!("{:.2}", row.compile));
    cells.push(stages::cell(&row.costliest));
    cells
}

fn ratio(r: Option<f64>) -> String {
    r.map_or("–".into(), |r| format!("{r:.2}"))
}

/// None of no ratios.
pub fn geometric_mean(ratios: impl Iterator<Item = f64>) -> Option<f64> {
    let logs: Vec<f64> = ratios.map(f64::ln).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// A table of Markdown whose columns line up in a terminal too; the first row is its head.
pub fn aligned(cells: &[Vec<String>]) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let width = |c: usize| {
        cells.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0).max(4)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut s = String::new();
    for (i, line) in cells.iter().enumerate() {
        s.push('|');
        for (c, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let _ = if c == 0 {
                write!(s, " {cell:<width$} |")
            } else {
                write!(s, " {cell:>width$} |")
            };
        }
        s.push('\n');
        if i == 0 {
            s.push('|');
            for (c, width) in widths.iter().enumerate() {
                let dashes = "-".repeat(width - 1);
                let _ = if c == 0 { write!(s, " -{dashes} |") } else { write!(s, " {dashes}: |") };
            }
            s.push('\n');
        }
    }
    s
}

/// The whole page.
pub fn page(
    rows: &[Row],
    table: &str,
    bandwidth: &str,
    basis: &str,
    missing: &[String],
    failures: &[String],
    args: &Args,
) -> String {
    let mut s = format!(
        "# Benchmarks\n\n\
         `./x bench` measures the programs of `benches/programs` and writes this file. Times are \
         medians of\n{} rounds of {} runs; in each round every peer has its turn. All use one core. \
         C is compiled with\n`-O3 -march=native`. A ratio below 1 says that futc's program is the \
         quicker one. A peak of memory\nabove C's by more than the largest array of input and \
         result, and {} KiB for the runtime's code, is marked\n(!).\n\n\
         Measured on: {}.\n\n{table}\n![Ratios](benchmarks.svg)\n",
        args.rounds,
        args.runs,
        RUNTIME >> 10,
        machine()
    );
    let reasons = stages::reasons(rows.iter().map(|r| &r.costliest));
    if !reasons.is_empty() {
        let _ = write!(
            s,
            "\nThe costliest pass is the one with the largest share of the compile time by `futc \
             --time-passes`, all of\nits runs together. Above 30 % (*), with the reason:\n\n{reasons}"
        );
    }
    if !bandwidth.is_empty() {
        let _ = write!(
            s,
            "\n## Bandwidth\n\n\
             Bytes read and written in a second by programs that only move memory \
             (`benches/bandwidth`), against\nthe C library's copy of the same numbers, in turns.\n\n\
             {bandwidth}"
        );
    }
    if !basis.is_empty() {
        let _ = write!(
            s,
            "\n## What is built in, and the minimal basis\n\n\
             The article on the minimal basis of Futhark writes these functions over `map` and \
             `iota`, for processors\nof many threads. One thread runs them here \
             (`benches/minimal_basis`).\n{basis}"
        );
    }
    if !missing.is_empty() {
        let _ = writeln!(s, "\nNot measured: {}.", missing.join(", "));
    }
    if !failures.is_empty() {
        s.push_str("\nWhat failed:\n\n");
        for f in failures {
            let _ = writeln!(s, "- {}", f.lines().next().unwrap_or_default());
        }
    }
    s
}

/// The processor's name, as Linux has it.
pub fn machine() -> String {
    std::fs::read_to_string("/proc/cpuinfo")
        .unwrap_or_default()
        .lines()
        .find_map(|l| l.strip_prefix("model name")?.split_once(": "))
        .map_or_else(|| "an unknown processor".into(), |(_, name)| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::{aligned, geometric_mean};

    #[test]
    fn the_mean_of_ratios_is_geometric() {
        let mean = geometric_mean([0.5, 2.0, 1.0].into_iter());
        assert!(mean.is_some_and(|m| (m - 1.0).abs() < 1e-12), "{mean:?}");
        assert_eq!(geometric_mean(std::iter::empty()), None);
    }

    #[test]
    fn columns_line_up() {
        let cells = [["name", "x"], ["a longer name", "12.50"]].map(|r| r.map(String::from).into());
        assert_eq!(
            aligned(&cells),
            "| name          |     x |\n\
             | ------------- | ----: |\n\
             | a longer name | 12.50 |\n"
        );
    }
}
