//! What no compiler checks: file headers, the crates named in `ARCHITECTURE.md`, what documents list,
//! the pages of large folders, FileCheck cases of passes, strategies and conversions, notes,
//! the walls between crates, and the layers inside of them.

mod cases;
mod cycles;
mod documents;
mod imports;
mod layering;
mod layers;
mod modules;
mod pages;
mod tables;
mod targets;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `(crate, what it must not depend on)`, from ARCHITECTURE.md.
const WALLS: &[(&str, &[&str])] = &[
    ("futc-typed", &["salsa", "melior", "inkwell", "futc-frontend", "futc-midend"]),
    ("futc-frontend", &["melior", "inkwell", "futc-midend", "futc-mlir"]),
    ("futc-midend", &["salsa", "melior", "inkwell", "futc-frontend", "futc-mlir"]),
    ("futc-queries", &["melior", "inkwell", "futc-mlir"]),
    ("futc-mlir", &["salsa", "futc-frontend"]),
    ("futc-runtime", &["salsa", "melior", "inkwell", "futc-midend"]),
    ("futc-lsp", &["melior", "inkwell", "futc-midend", "futc-mlir"]),
    ("futc-testing", &["salsa", "melior", "inkwell", "futc-frontend", "futc-midend"]),
];

/// A file of more lines than this must say why, with the word `Length:` in its header.
const LONG: usize = 1000;

/// Checks everything; the error lists every finding.
pub fn run(root: &Path) -> Result<(), String> {
    let mut findings = Vec::new();
    let mut files = Vec::new();
    for dir in ["frontend", "midend", "mlir-lowering", "runtime-c", "tools", "benches"] {
        collect(&root.join(dir), &mut files);
    }
    let mut notes = BTreeSet::new();
    let mut references = Vec::new();
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
        if file.extension().is_some_and(|e| e == "rs") && !text.starts_with("//!") {
            findings.push(format!("{name}: does not open with a `//!` header"));
        }
        let lines = text.lines().count();
        if lines > LONG && !text.lines().take(40).any(|l| l.contains("Length:")) {
            findings
                .push(format!("{name}: {lines} lines, and no `Length:` in the header says why"));
        }
        for line in text.lines() {
            if let Some((_, r)) = line.split_once("See Note [")
                && let Some((n, _)) = r.split_once(']')
            {
                references.push((name.clone(), n.to_string()));
            } else if let Some((_, r)) = line.split_once("Note [")
                && let Some((n, _)) = r.split_once(']')
                && !notes.insert(n.to_string())
            {
                findings.push(format!("{name}: a second Note [{n}]"));
            }
        }
    }
    for (name, note) in references {
        if !notes.contains(&note) {
            findings.push(format!("{name}: there is no Note [{note}]"));
        }
    }
    targets::check(root, &files, &mut findings);
    operations(root, &files, &mut findings);
    architecture(root, &mut findings);
    documents::check(root, &mut findings);
    pages::check(root, &files, &mut findings);
    cases::check(root, &mut findings);
    layering::check(root, &members(root), &mut findings);
    for (package, forbidden) in WALLS {
        wall(root, package, forbidden, &mut findings)?;
    }
    if findings.is_empty() { Ok(()) } else { Err(format!("tidy:\n  {}", findings.join("\n  "))) }
}

/// Where operations of MLIR are made, and attributes read from text.
const DIALECTS: &str = "mlir-lowering/src/dialect";

/// What makes operations and attributes of names that are text.
const UNTYPED: &[&str] = &["OperationBuilder", "Attribute::parse", "Type::parse"];

/// Operations of MLIR are made by the typed layer alone.
fn operations(root: &Path, files: &[PathBuf], findings: &mut Vec<String>) {
    let layer = root.join(DIALECTS);
    if !files.iter().any(|f| f.starts_with(&layer)) {
        findings.push(format!("{DIALECTS}: no file found"));
    }
    let lowering = root.join("mlir-lowering/src");
    for file in files.iter().filter(|f| f.starts_with(&lowering) && !f.starts_with(&layer)) {
        let place = file.strip_prefix(root).unwrap_or(file).display();
        let text = std::fs::read_to_string(file).unwrap_or_default();
        for (i, line) in text.lines().enumerate() {
            for name in UNTYPED.iter().filter(|n| line.contains(**n)) {
                findings.push(format!("{place}:{}: {name} outside of {DIALECTS}", i + 1));
            }
        }
    }
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.filter_map(Result::ok).map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "c" || e == "h") {
            out.push(path);
        }
    }
}

/// Every folder with a crate is named in ARCHITECTURE.md, and every folder it names as `` `x/` ``
/// is there; the document stays within its bound.
fn architecture(root: &Path, findings: &mut Vec<String>) {
    let Ok(text) = std::fs::read_to_string(root.join("ARCHITECTURE.md")) else {
        findings.push("ARCHITECTURE.md is missing".into());
        return;
    };
    let words = text.split_whitespace().count();
    if words > 1600 {
        findings.push(format!("ARCHITECTURE.md: {words} words, more than 1600"));
    }
    for part in text.split('`').skip(1).step_by(2) {
        let plain = part.ends_with('/') && !part.contains(['<', '*', ' ']);
        if plain && !root.join(part).exists() {
            findings.push(format!("ARCHITECTURE.md names {part}, which is not there"));
        }
    }
    for member in members(root) {
        if !text.contains(&format!("`{member}/`")) {
            findings.push(format!("ARCHITECTURE.md does not name `{member}/`"));
        }
    }
}

/// The folders of the workspace's crates.
fn members(root: &Path) -> Vec<String> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let members = manifest.split_once("members = [").map_or("", |(_, rest)| rest);
    let members = members.split(']').next().unwrap_or("");
    members.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// `cargo tree` of `package` holds none of `forbidden`; tests may use what they like.
fn wall(
    root: &Path,
    package: &str,
    forbidden: &[&str],
    findings: &mut Vec<String>,
) -> Result<(), String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--prefix=none", "--edges=normal,build", "--package", package])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cargo tree: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let tree = String::from_utf8_lossy(&output.stdout);
    for line in tree.lines() {
        let name = line.split(' ').next().unwrap_or("");
        if forbidden.contains(&name) {
            findings.push(format!("{package} must not see {name}, but depends on it"));
        }
    }
    Ok(())
}
