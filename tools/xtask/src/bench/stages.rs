//! Where the compiler's time goes, as `futc --time-passes` tells it.

/// A larger share of the compile time wants a reason.
pub const MUCH: f64 = 0.3;

/// Why a stage may take more than [`MUCH`] of the time.
const REASONS: &[(&str, &str)] = &[
    (
        "llvm-optimise",
        "LLVM's passes for `-O3`, of which vectorising and unrolling are the larger part: it makes the \
         code what it is. It counts as one pass here, and is some hundred.",
    ),
    (
        "llvm-object",
        "LLVM's back end: selecting instructions, allocating registers, scheduling. What loops were \
         unrolled and vectorised to is its input.",
    ),
    ("llvm-objects", "Both of these for programs of several LLVM modules, which go on all cores."),
    (
        "check",
        "Reading and checking the prelude, some 2,000 lines, is most of it in short programs.",
    ),
    ("link", "LLVM's linker, which reads the runtime: the same for all programs."),
];

/// The pass with the largest share of the times in what `--time-passes` prints, all of its runs
/// together; shares are of the whole.
pub fn costliest(text: &str) -> Option<(String, f64)> {
    let mut times: Vec<(String, f64)> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, time, "ms", _, "%"] = words.as_slice() else { continue };
        let Ok(time) = time.parse::<f64>() else { continue };
        match times.iter_mut().find(|(n, _)| n == name) {
            Some((_, t)) => *t += time,
            None => times.push(((*name).to_owned(), time)),
        }
    }
    let total: f64 = times.iter().map(|(_, t)| t).sum();
    let (name, time) = times.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (total > 0.0).then(|| (name, time / total))
}

/// As a cell of the table; marked where a reason is due.
pub fn cell((name, share): &(String, f64)) -> String {
    let mark = if *share > MUCH { " (*)" } else { "" };
    format!("{name} {:.0} %{mark}", share * 100.0)
}

/// Below the table: the reason for each stage that takes much somewhere.
pub fn reasons<'r>(rows: impl Iterator<Item = &'r (String, f64)>) -> String {
    let mut names: Vec<&str> =
        rows.filter(|(_, share)| *share > MUCH).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let reason = |name: &str| {
        let known = REASONS.iter().find(|(n, _)| *n == name);
        known.map_or("no reason is known: to be looked into.", |(_, why)| *why)
    };
    let lines: Vec<String> = names.iter().map(|n| format!("- `{n}`: {}\n", reason(n))).collect();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::{cell, costliest, reasons};

    const TIMES: &str = "                   check     10.000 ms  10.0 %
                simplify     15.000 ms  15.0 %
                     cse      5.000 ms   5.0 %
                simplify     40.000 ms  40.0 %
           llvm-optimise     30.000 ms  30.0 %
";

    #[test]
    fn runs_of_a_pass_count_together() {
        let found = costliest(TIMES);
        assert!(found.as_ref().is_some_and(|(n, s)| n == "simplify" && (s - 0.55).abs() < 1e-9));
        assert_eq!(found.as_ref().map(cell).as_deref(), Some("simplify 55 % (*)"));
        assert_eq!(costliest("nothing of the kind"), None);
    }

    #[test]
    fn what_takes_much_has_a_reason_or_wants_one() {
        let rows = [("simplify", 0.55), ("llvm-object", 0.4), ("link", 0.2)];
        let rows = rows.map(|(n, s)| (n.to_owned(), s));
        let text = reasons(rows.iter());
        assert!(text.contains("`simplify`: no reason is known"), "{text}");
        assert!(text.contains("`llvm-object`: LLVM's back end"), "{text}");
        assert!(!text.contains("link"), "{text}");
    }
}
