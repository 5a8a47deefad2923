//! Targets are named by their records alone.

use std::path::{Path, PathBuf};

/// The folder of target records.
const TARGETS: &str = "mlir-lowering/src/target";

/// A target's record: its variable, and the name that users write.
pub struct Record {
    /// `GPU_EMU`.
    pub variable: String,
    /// `gpu-emu`.
    pub name: String,
}

/// All targets' records.
pub fn records(root: &Path) -> Vec<Record> {
    let files = std::fs::read_dir(root.join(TARGETS)).into_iter().flatten();
    let mut paths: Vec<PathBuf> = files.filter_map(Result::ok).map(|e| e.path()).collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| record(&std::fs::read_to_string(path).unwrap_or_default()))
        .collect()
}

/// The record in a file.
fn record(text: &str) -> Option<Record> {
    let mut lines = text.lines().map(str::trim);
    let (variable, _) =
        lines.find_map(|l| l.strip_prefix("pub static ")?.split_once(": Target"))?;
    let name = lines.find_map(|l| l.strip_prefix("name: \"")?.strip_suffix("\","))?;
    Some(Record { variable: variable.into(), name: name.into() })
}

/// What differs from target to target is asked of its record: driver, tools and code generation name none,
/// but for tests.
pub fn check(root: &Path, files: &[PathBuf], findings: &mut Vec<String>) {
    let folder = root.join(TARGETS);
    let records = records(root);
    if records.is_empty() {
        findings.push(format!("{TARGETS}: no target found"));
    }
    let names: Vec<String> = records
        .iter()
        .flat_map(|r| [format!("\"{}\"", r.name), format!("target::{}", r.variable)])
        .collect();
    for file in files.iter().filter(|f| !f.starts_with(&folder)) {
        let place = file.strip_prefix(root).unwrap_or(file);
        let code = ["tools", "mlir-lowering/src"].iter().any(|dir| place.starts_with(dir));
        if !code || place.iter().any(|part| part == "tests" || part == "tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let text = text.split("#[cfg(test)]\n").next().unwrap_or_default();
        for (i, line) in text.lines().enumerate() {
            let mut named: Vec<&str> = names.iter().map(String::as_str).collect();
            named.retain(|name| line.contains(name));
            // One of several that are imported.
            if let Some((_, imported)) = line.split_once("target::{") {
                let words = || imported.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                let variables = records.iter().map(|r| r.variable.as_str());
                named.extend(variables.filter(|variable| words().any(|word| word == *variable)));
            }
            for name in named {
                findings.push(format!("{}:{}: names the target {name}", place.display(), i + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::record;

    #[test]
    fn a_record_has_a_variable_and_a_name() {
        let text = "use super::Target;\npub static GPU_EMU: Target = Target {\n    name: \"gpu-emu\",\n};\n";
        let found = record(text).map(|r| (r.variable, r.name));
        assert_eq!(found, Some(("GPU_EMU".into(), "gpu-emu".into())));
        assert!(record("pub static ALL: &[&Target] = &[];\n").is_none());
    }
}
