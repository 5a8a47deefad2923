//! `futc benchcmp`: how much faster one measurement is than another.

use crate::args::BenchcmpArgs;
use crate::benching::results::{Times, read};
use crate::benching::statistics::{Summary, summarise};
use crate::exit::{Exit, Failure};
use std::fmt::Write as _;

/// Prints old time over new time of every data set that both files have, and says which are only
/// in one.
pub fn run(args: &BenchcmpArgs) -> Result<Exit, Failure> {
    let old = read(&args.old).map_err(Failure::usage)?;
    let new = read(&args.new).map_err(Failure::usage)?;
    print!("{}", compare(&old, &new));
    Ok(Exit::Success)
}

/// The table: a factor above 1 is a gain. In parentheses, where the intervals of confidence
/// overlap, what may be noise.
fn compare(old: &Times, new: &Times) -> String {
    let mut out = String::new();
    let mut product = 0.0;
    let mut count = 0u32;
    for (benchmark, sets) in new {
        let Some(before) = old.get(benchmark) else {
            let _ = writeln!(out, "{benchmark}: only in the new file");
            continue;
        };
        let _ = writeln!(out, "{benchmark}");
        for (name, times) in sets {
            let pair = before.get(name).and_then(|b| Some((summarise(b)?, summarise(times)?)));
            let Some((a, b)) = pair else {
                let _ = writeln!(out, "  {name}: only in the new file");
                continue;
            };
            // The unit of what servers report.
            if a.mean < 1.0 || b.mean < 1.0 {
                let _ = writeln!(out, "  {name}: too short to be compared");
                continue;
            }
            let factor = a.mean / b.mean;
            product += factor.ln();
            count += 1;
            let noise = if overlap(&a, &b) { " (may be noise)" } else { "" };
            let _ = writeln!(
                out,
                "  {name}: {factor:.2}x  ({:.0} μs to {:.0} μs){noise}",
                a.mean, b.mean
            );
        }
        for name in before.keys().filter(|n| !sets.contains_key(*n)) {
            let _ = writeln!(out, "  {name}: only in the old file");
        }
    }
    for benchmark in old.keys().filter(|b| !new.contains_key(*b)) {
        let _ = writeln!(out, "{benchmark}: only in the old file");
    }
    if count > 0 {
        let mean = (product / f64::from(count)).exp();
        let _ = writeln!(out, "geometric mean of {count}: {mean:.2}x");
    }
    out
}

fn overlap(a: &Summary, b: &Summary) -> bool {
    a.low <= b.high && b.low <= a.high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(rows: &[(&str, &str, &[f64])]) -> Times {
        let mut out = Times::new();
        for (benchmark, set, ts) in rows {
            out.entry((*benchmark).into()).or_default().insert((*set).into(), ts.to_vec());
        }
        out
    }

    #[test]
    fn factors_are_old_over_new() {
        let old = times(&[("a.fut:main", "#0", &[200.0, 200.0]), ("b.fut:main", "#0", &[1.0])]);
        let new = times(&[("a.fut:main", "#0", &[100.0, 100.0]), ("a.fut:main", "#1", &[1.0])]);
        let table = compare(&old, &new);
        assert!(table.contains("#0: 2.00x  (200 μs to 100 μs)\n"), "{table}");
        assert!(table.contains("#1: only in the new file"), "{table}");
        assert!(table.contains("b.fut:main: only in the old file"), "{table}");
        assert!(table.contains("geometric mean of 1: 2.00x"), "{table}");
    }

    #[test]
    fn what_may_be_noise_is_marked() {
        let old = times(&[("a.fut:main", "#0", &[90.0, 110.0, 100.0])]);
        let new = times(&[("a.fut:main", "#0", &[95.0, 105.0, 102.0])]);
        assert!(compare(&old, &new).contains("may be noise"));
    }
}
