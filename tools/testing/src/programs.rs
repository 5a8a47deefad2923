//! Finding programs.

use std::path::{Path, PathBuf};

/// The programs named or found below a folder named, those of a folder in the order of their names.
pub fn programs_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut programs = Vec::new();
    for path in paths {
        find(path, &mut programs)?;
    }
    if programs.is_empty() {
        return Err("there are no .fut files there".into());
    }
    Ok(programs)
}

fn find(path: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("{}: {e}", path.display());
    if !std::fs::metadata(path).map_err(fail)?.is_dir() {
        out.push(path.to_path_buf());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path).map_err(fail)?.filter_map(Result::ok).map(|e| e.path()).collect();
    entries.sort();
    for e in entries {
        if e.is_dir() {
            find(&e, out)?;
        } else if e.extension().is_some_and(|x| x == "fut") {
            out.push(e);
        }
    }
    Ok(())
}
