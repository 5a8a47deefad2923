//! Which operations of MLIR programs become: runs `futc --emit=mlir` over `benches/programs` and writes
//! `docs/mlir.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Operations that read or write memory, by what they are counted as.
const MEMORY: &[(&str, &[&str])] = &[
    ("memref", &["load", "store", "prefetch", "copy"]),
    ("vector", &["load", "store", "maskedload", "gather"]),
    ("linalg", &["fill", "copy", "transpose", "generic"]),
    ("llvm", &["load", "store", "cmpxchg", "intr.memcpy", "intr.prefetch"]),
];

/// Operations on whole arrays that are linalg's, and as what others would do the same.
const BULK: &[(&str, &[&str], &[&str])] = &[
    ("fills", &["linalg.fill"], &[]),
    ("copies", &["linalg.copy"], &["memref.copy", "llvm.intr.memcpy"]),
    ("transpositions", &["linalg.transpose"], &[]),
];

/// A `linalg.generic`, which only products of matrices are: counted besides, under a name without a dialect.
const CONTRACTION: &str = "contraction";

type Counts = BTreeMap<String, usize>;

/// Counts, and writes the page.
pub fn run(root: &Path) -> Result<(), String> {
    let mut programs: Vec<PathBuf> = Vec::new();
    let folder = root.join("benches/programs");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let file = entry.path().join(&name).with_extension("fut");
        if file.is_file() {
            programs.push(file);
        }
    }
    programs.sort();
    let mut total = Counts::new();
    let mut by_program = Vec::new();
    let mut contractions = 0;
    for file in &programs {
        let counts = count(&emit(root, file, "mlir")?);
        contractions += contractions_of(&emit(root, file, "sched")?);
        for (name, n) in &counts {
            *total.entry(name.clone()).or_default() += n;
        }
        by_program.push((file, counts));
    }
    let page = root.join("docs/mlir.md");
    let text = page_of(&total, contractions, &by_program);
    std::fs::write(&page, text).map_err(|e| format!("{}: {e}", page.display()))
}

fn emit(root: &Path, file: &Path, station: &str) -> Result<String, String> {
    let out = Command::new(root.join("target/debug/futc"))
        .args(["-w", "--target=seq", &format!("--emit={station}")])
        .arg(file)
        .output()
        .map_err(|e| format!("futc: {e}"))?;
    if !out.status.success() {
        return Err(format!("{}: {}", file.display(), String::from_utf8_lossy(&out.stderr)));
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// How many operations of a scheduled program are products of matrices: in blocks, and, unless these do for all sizes,
/// by the strategies behind them; or of few rows.
fn contractions_of(text: &str) -> usize {
    let blocks = text.lines().filter(|l| l.contains("{ contract ") || l.contains("; contract "));
    let of_blocks: usize = blocks.map(|l| if l.contains(" least 0 }") { 1 } else { 2 }).sum();
    of_blocks + text.matches("#[few_rows]").count()
}

/// The operations of a module, by name.
fn count(text: &str) -> Counts {
    let mut counts = Counts::new();
    for line in text.lines() {
        let operation = match line.split_once(" = ") {
            Some((results, rest)) if results.trim_start().starts_with('%') => rest,
            _ => line.trim_start(),
        };
        let name: String = operation
            .trim_start_matches('"')
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'))
            .collect();
        // Inside of functions, the dialect `func` need not be said.
        let name = match name.as_str() {
            "call" | "return" => format!("func.{name}"),
            _ => name,
        };
        if name.contains('.') {
            if name == "linalg.generic" {
                *counts.entry(CONTRACTION.into()).or_default() += 1;
            }
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

fn page_of(total: &Counts, contractions: usize, programs: &[(&PathBuf, Counts)]) -> String {
    let mut text = String::from(
        "# Operations of MLIR\n\nWhat `futc --emit=mlir` prints of the programs of `benches/programs`, for \
         one thread of the host, counted by\n`cargo xtask mlir` (build `futc` first). Operations stand as \
         often as they are written, not as often as they run.\n\n| dialect | operations | |\n| --- | ---: | --- |\n",
    );
    let dialects: BTreeSet<&str> =
        total.keys().filter_map(|n| Some(n.split_once('.')?.0)).collect();
    for dialect in dialects {
        let of_dialect = || total.iter().filter(|(n, _)| n.split('.').next() == Some(dialect));
        let sum: usize = of_dialect().map(|(_, n)| n).sum();
        let mut names: Vec<_> = of_dialect().collect();
        names.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
        let names: Vec<String> = names
            .iter()
            .map(|(name, n)| format!("{} {n}", name.split_once('.').map_or("", |(_, rest)| rest)))
            .collect();
        let _ = writeln!(text, "| {dialect} | {sum} | {} |", names.join(", "));
    }
    let of = |dialect: &str, operations: &[&str]| -> usize {
        let name = |o: &&str| total.get(&format!("{dialect}.{o}")).copied().unwrap_or(0);
        operations.iter().map(name).sum()
    };
    let memory: Vec<(&str, usize)> = MEMORY.iter().map(|(d, ops)| (*d, of(d, ops))).collect();
    let all: usize = memory.iter().map(|(_, n)| n).sum();
    let pointers: usize = memory.iter().filter(|(d, _)| *d == "llvm").map(|(_, n)| n).sum();
    let parts: Vec<String> = memory.iter().map(|(d, n)| format!("{n} of {d}")).collect();
    let _ = writeln!(
        text,
        "\nOf {all} operations that read or write memory ({}), {:.1} % are of memref, vector or linalg.",
        parts.join(", "),
        100.0 * (all - pointers) as f64 / all.max(1) as f64
    );
    for (what, linalg, others) in BULK {
        let sum = |names: &[&str]| -> usize {
            names.iter().map(|n| total.get(*n).copied().unwrap_or(0)).sum()
        };
        let (yes, no) = (sum(linalg), sum(others));
        let _ = writeln!(
            text,
            "Of {} {what}, {:.0} % are of linalg.",
            yes + no,
            100.0 * yes as f64 / (yes + no).max(1) as f64
        );
    }
    let found = total.get(CONTRACTION).copied().unwrap_or(0);
    let _ = writeln!(
        text,
        "Of {contractions} products of matrices, in blocks or by loops, {:.0} % are of linalg; small ones whose columns lie \
         side by side are maps.",
        100.0 * found.min(contractions) as f64 / contractions.max(1) as f64
    );
    text.push_str(
        "\n| program | memref | vector | linalg | scf | arith | math | llvm |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (file, counts) in programs {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let _ = write!(text, "| {name} |");
        for dialect in ["memref", "vector", "linalg", "scf", "arith", "math", "llvm"] {
            let sum: usize = counts
                .iter()
                .filter(|(n, _)| n.split('.').next() == Some(dialect))
                .map(|(_, n)| n)
                .sum();
            let _ = write!(text, " {sum} |");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn operations_are_counted_by_name() {
        let text = "module {\n  %0 = memref.load %m[%i] : memref<?xf32>\n  memref.store %0, %m[%i]\n  \
                    %2:2 = scf.while\n  %1 = \"llvm.intr.x\"(%0)\n  return %1\n}\n";
        let counts = count(text);
        let names: Vec<&str> = counts.keys().map(String::as_str).collect();
        let expected = ["func.return", "llvm.intr.x", "memref.load", "memref.store", "scf.while"];
        assert_eq!(names, expected);
    }
}
