//! No crate has files that import each other in a circle, and layers go one way ([`super::layers`]).

use super::cycles::{components, shortest};
use super::imports::{Import, imports};
use super::layers::{LAYERS, Layer};
use super::modules;
use std::path::{Path, PathBuf};

/// Checks the crates in the folders `members` of the repository.
pub fn check(root: &Path, members: &[String], findings: &mut Vec<String>) {
    let read = |file: &Path| std::fs::read_to_string(root.join(file)).ok();
    for member in members {
        let layers =
            LAYERS.iter().find(|(folder, _)| folder == member).map_or(&[][..], |(_, l)| *l);
        for crate_root in roots(root, member) {
            match modules::read(&crate_root, &read) {
                Ok(modules) => {
                    let imports = imports(&modules);
                    let names = names(&modules.files, member);
                    findings.extend(circles(&names, &imports));
                    // Programs beside a library see it from outside.
                    let program = crate_root.parent().is_some_and(|p| p.ends_with("bin"));
                    let layers = if program { &[] } else { layers };
                    findings.extend(violations(member, &names, layers, &imports));
                }
                Err(e) => findings.push(e),
            }
        }
    }
    for folder in
        LAYERS.iter().map(|(folder, _)| *folder).filter(|f| !members.iter().any(|m| m == f))
    {
        findings.push(format!("tools/xtask/src/tidy/layers.rs: there is no crate {folder}"));
    }
}

/// The root files of a crate's library and programs, from the repository's root.
fn roots(root: &Path, member: &str) -> Vec<PathBuf> {
    let src = Path::new(member).join("src");
    let mut all = vec![src.join("lib.rs"), src.join("main.rs")];
    let programs = std::fs::read_dir(root.join(&src).join("bin")).into_iter().flatten();
    all.extend(programs.filter_map(Result::ok).map(|e| src.join("bin").join(e.file_name())));
    all.retain(|file| root.join(file).is_file());
    all
}

/// Files as messages show them: from the crate's `src`, or its folder.
fn names(files: &[PathBuf], member: &str) -> Vec<String> {
    files
        .iter()
        .map(|f| f.strip_prefix(member).unwrap_or(f).to_string_lossy().replace('\\', "/"))
        .collect()
}

fn name(names: &[String], file: usize) -> &str {
    names.get(file).map_or("", String::as_str)
}

/// A finding for each set of files that import each other, with a shortest circle in it.
fn circles(names: &[String], imports: &[Import]) -> Vec<String> {
    components(names.len(), imports)
        .iter()
        .map(|component| {
            let circle = shortest(component, imports);
            let mut text = format!("{} files import each other: ", component.len());
            for import in &circle {
                text.push_str(&format!("{} → ", name(names, import.from)));
            }
            text.push_str(name(names, circle.first().map_or(0, |i| i.from)));
            for import in circle {
                let from = name(names, import.from);
                text.push_str(&format!("\n      {from}:{}: {}", import.line, import.what));
            }
            text
        })
        .collect()
}

/// A finding for each import and call that goes up, and for each file in no layer.
fn violations(member: &str, names: &[String], layers: &[Layer], imports: &[Import]) -> Vec<String> {
    if layers.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let of: Vec<Option<usize>> = names.iter().map(|name| layer(name, layers)).collect();
    for (file, layer) in names.iter().zip(&of) {
        if layer.is_none() {
            out.push(format!("{member}/{file} is in no layer of tools/xtask/src/tidy/layers.rs"));
        }
    }
    let entries = layers.iter().flat_map(|layer| layer.files);
    for entry in entries.filter(|e| !names.iter().any(|name| holds(e, name))) {
        out.push(format!("tools/xtask/src/tidy/layers.rs: there is no {member}/{entry}"));
    }
    let at = |file: usize| of.get(file).copied().flatten();
    for import in imports {
        let (Some(from), Some(to)) = (at(import.from), at(import.to)) else { continue };
        if let (Some(from), Some(to)) = (layers.get(from), layers.get(to).filter(|_| from < to)) {
            let verb = if import.call { "calls" } else { "imports" };
            out.push(format!(
                "{member}/{}:{}: {} {verb} {} of {}, which stands above it ({})",
                name(names, import.from),
                import.line,
                from.name,
                import.what,
                to.name,
                name(names, import.to),
            ));
        }
    }
    out
}

/// The layer of a file.
fn layer(file: &str, layers: &[Layer]) -> Option<usize> {
    let entries = layers.iter().enumerate().flat_map(|(i, l)| l.files.iter().map(move |e| (i, *e)));
    entries.filter(|(_, e)| holds(e, file)).max_by_key(|(_, e)| e.len()).map(|(i, _)| i)
}

/// Whether a file is an entry of the table, or in its folder.
fn holds(entry: &str, file: &str) -> bool {
    file.strip_prefix(entry).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

#[cfg(test)]
mod tests;
