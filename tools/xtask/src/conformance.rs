//! Runs `futc test` over a directory of programs and writes `docs/conformance.md`: pass rates by
//! folder and target, and what the failures have in common; and, by folder, how many of the
//! programs to be refused are refused for the right reason (see `rejects`).

use crate::{figures, rejects};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The `tests` directory of a checkout of diku-dk/futhark.
    dir: PathBuf,
    /// Targets.
    #[arg(long, value_delimiter = ',', default_value = "seq,multicore,gpu-emu,interpreter")]
    backends: Vec<String>,
    /// The compiler.
    #[arg(long, default_value = "target/release/futc")]
    futc: PathBuf,
    /// Take the results of a backend from a file that `futc test --json` wrote: BACKEND=FILE.
    #[arg(long, value_name = "BACKEND=FILE")]
    reuse: Vec<String>,
    /// Seconds before a compilation or run is given up.
    #[arg(long, default_value_t = 30)]
    timeout: u64,
    /// Only check the programs that must be refused; needs the front end alone.
    #[arg(long)]
    rejects_only: bool,
}

/// Left out: their features are not in scope yet.
const LEFT_OUT: &[&str] = &["ad", "accs"];

#[derive(Default, Clone)]
struct Count {
    passed: usize,
    total: usize,
    crashed: usize,
}

impl Count {
    fn add(&mut self, result: &str) {
        self.total += 1;
        self.passed += usize::from(result == "passed");
        self.crashed += usize::from(result == "crashed");
    }

    fn cell(&self) -> String {
        if self.total == 0 {
            return "–".into();
        }
        format!(
            "{}/{} ({:.1} %)",
            self.passed,
            self.total,
            100.0 * self.passed as f64 / self.total as f64
        )
    }
}

/// The rows of the table: folder, then per backend the checkable cases.
type Table = BTreeMap<String, Vec<Count>>;

/// Runs every backend and writes the table.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let page = root.join("docs/conformance.md");
    let failed = |e: std::io::Error| format!("{}: {e}", page.display());
    let before = std::fs::read_to_string(&page).map_err(failed)?;
    let refused = rejects::run(&args.dir, LEFT_OUT, &before)?;
    let after = if args.rejects_only {
        match rejects::section(&before, rejects::RESULTS) {
            Some(old) => before.replace(old, &refused),
            None => format!("{before}\n{refused}"),
        }
    } else {
        let mapping = rejects::section(&before, rejects::MAPPING).unwrap_or_default();
        format!("{}{refused}{mapping}", backends(root, args)?)
    };
    std::fs::write(&page, after).map_err(failed)
}

/// Runs every backend; the page's part about them.
fn backends(root: &Path, args: &Args) -> Result<String, String> {
    let mut table = Table::new();
    let mut reasons: Vec<BTreeMap<String, Vec<String>>> = Vec::new();
    let mut rest = vec![Count::default(); args.backends.len()];
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&args.dir)
        .map_err(|e| format!("{}: {e}", args.dir.display()))?
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| {
            let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (p.is_dir() || name.ends_with(".fut")) && !LEFT_OUT.contains(&name.as_str())
        })
        .collect();
    paths.sort();
    for (i, backend) in args.backends.iter().enumerate() {
        let reused = args.reuse.iter().find_map(|r| match r.split_once('=') {
            Some((b, file)) if b == backend => Some(PathBuf::from(file)),
            _ => None,
        });
        let text = match reused {
            Some(file) => {
                std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?
            }
            None => test(root, args, backend, &paths)?,
        };
        let rows: Vec<serde_json::Value> =
            serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let mut why: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in &rows {
            let get = |k: &str| row.get(k).and_then(|v| v.as_str()).unwrap_or("");
            let result = get("result");
            // Programs to be refused are looked at apart from backends.
            if result == "skipped" || get("case") == "rejects" {
                continue;
            }
            let program = Path::new(get("program"));
            let relative = program.strip_prefix(&args.dir).unwrap_or(program);
            let folder = match relative.parent() {
                Some(p) if p != Path::new("") => p.display().to_string(),
                _ => "(top)".into(),
            };
            let line =
                table.entry(folder).or_insert_with(|| vec![Count::default(); args.backends.len()]);
            let checkable = row.get("checkable").and_then(serde_json::Value::as_bool) == Some(true);
            let counted = if checkable { line.get_mut(i) } else { rest.get_mut(i) };
            if let Some(count) = counted {
                count.add(result);
            }
            if result != "passed" {
                let place = format!("{} {}", relative.display(), get("case"));
                let detail = get("detail").replace(&format!("{}/", args.dir.display()), "");
                why.entry(reason(&detail)).or_default().push(place);
            }
        }
        reasons.push(why);
    }
    Ok(write(args, &figures::commit(root)?, &table, &rest, &reasons))
}

/// Runs `futc test` on one backend; its results as JSON.
fn test(root: &Path, args: &Args, backend: &str, paths: &[PathBuf]) -> Result<String, String> {
    let json = std::env::temp_dir().join(format!("futc-conformance-{}.json", std::process::id()));
    let status = Command::new(root.join(&args.futc))
        .arg("test")
        .arg(format!("--backend={backend}"))
        .arg(format!("--timeout={}", args.timeout))
        .arg("--json")
        .arg(&json)
        .args(paths)
        .stdout(std::process::Stdio::null())
        .status()
        .map_err(|e| format!("{}: {e}", args.futc.display()))?;
    if status.code().is_none_or(|c| c > 1) {
        return Err(format!("futc test ended with {status}"));
    }
    let text = std::fs::read_to_string(&json).map_err(|e| e.to_string())?;
    let _ = std::fs::remove_file(&json);
    Ok(text)
}

/// What failures have in common: the first line that says something, without names and numbers.
fn reason(detail: &str) -> String {
    let line = detail
        .lines()
        .map(str::trim)
        .find(|l| !l.is_empty() && !l.ends_with("failed:"))
        .unwrap_or("no message");
    // `PROGRAM: message` → `message`, where the program is one the runner compiled.
    let line = match line.find("futc-test-") {
        Some(i) => line.get(i..).and_then(|l| l.split_once(": ")).map_or(line, |(_, m)| m),
        None => line,
    };
    // `file:line:col: message` → `message`.
    let line = match line.find("error[") {
        Some(i) => line.get(i..).unwrap_or(line),
        None => line,
    };
    let mut out = String::new();
    for c in line.chars().take(110) {
        match c {
            '0'..='9' if out.ends_with('N') => {}
            '0'..='9' => out.push('N'),
            '|' => out.push('/'),
            c => out.push(c),
        }
    }
    out
}

fn write(
    args: &Args,
    commit: &str,
    table: &Table,
    rest: &[Count],
    reasons: &[BTreeMap<String, Vec<String>>],
) -> String {
    let mut s = String::from(
        "# Conformance\n\n`./x conformance DIR` runs `futc test` over the `tests/` directory of a \
         checkout of\n`diku-dk/futhark` and writes this file. `ad/` and `accs/` are left out. A case \
         is checkable if\nit has an expected output or run-time error.\n\n",
    );
    let _ = writeln!(s, "{}\n", figures::commit_line(commit));
    let mut head = String::from("| folder |");
    let mut rule = String::from("| --- |");
    for b in &args.backends {
        let _ = write!(head, " {b} |");
        rule.push_str(" --- |");
    }
    let _ = writeln!(s, "{head}\n{rule}");
    let mut total = vec![Count::default(); args.backends.len()];
    for (folder, counts) in table {
        let _ = write!(s, "| {folder} |");
        for (cases, all) in counts.iter().zip(&mut total) {
            let _ = write!(s, " {} |", cases.cell());
            all.passed += cases.passed;
            all.total += cases.total;
            all.crashed += cases.crashed;
        }
        s.push('\n');
    }
    s.push_str("| **all** |");
    for cases in &total {
        let _ = write!(s, " **{}** |", cases.cell());
    }
    s.push_str("\n\n");
    for (i, b) in args.backends.iter().enumerate() {
        let c = total.get(i).cloned().unwrap_or_default();
        let other = rest.get(i).cloned().unwrap_or_default();
        let _ = writeln!(
            s,
            "`{b}`: {} crashes; what only has to compile or run: {}.\n",
            c.crashed + other.crashed,
            other.cell()
        );
        println!(
            "{b}: checkable {}, other {}, crashes {}",
            c.cell(),
            other.cell(),
            c.crashed + other.crashed
        );
        let _ = writeln!(
            s,
            "## What fails on `{b}`\n\n| cases | reason | for example |\n| --- | --- | --- |"
        );
        let mut sorted: Vec<_> = reasons.get(i).into_iter().flatten().collect();
        sorted.sort_by_key(|(r, places)| (std::cmp::Reverse(places.len()), (*r).clone()));
        for (r, places) in sorted {
            let example = places.first().map_or("", String::as_str);
            let _ = writeln!(s, "| {} | {r} | {example} |", places.len());
        }
        s.push('\n');
    }
    s
}
