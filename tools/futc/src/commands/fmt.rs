//! `futc fmt`: formats files in place.

use crate::args::FmtArgs;
use crate::exit::{Exit, Failure};
use crate::output::{put, report, write_file};
use futc_frontend::diag::SourceMap;
use futc_frontend::fmt::{FormatError, format_file};
use futc_testing::files::Kind;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Runs `futc fmt`. Status 0 if all is well, 1 if `--check` found something to change, 2 if a
/// file could not be formatted; that file is left as it is, the others are formatted.
pub fn run(args: &FmtArgs) -> Result<Exit, Failure> {
    if args.paths.is_empty() {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|e| Failure::usage(format!("standard input: {e}")))?;
        let Some(out) = formatted("<standard input>", &text)? else {
            return Ok(Exit::Rejected);
        };
        if !args.check {
            put(&out)?;
        }
        return Ok(if args.check && out != text { Exit::Failed } else { Exit::Success });
    }
    let mut files = Vec::new();
    for path in &args.paths {
        find(path, true, &mut files)?;
    }
    let (mut changed, mut refused) = (false, false);
    for file in files {
        let name = file.display().to_string();
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(e) => {
                eprintln!("futc: {name}: {e}");
                refused = true;
                continue;
            }
        };
        match formatted(&name, &text)? {
            None => refused = true,
            Some(out) if out == text => {}
            Some(_) if args.check => {
                changed = true;
                put(&format!("{name}\n"))?;
            }
            Some(out) => {
                write_file(&file, out.as_bytes(), Kind::Data)?;
            }
        }
    }
    Ok(match (refused, changed) {
        (true, _) => Exit::Rejected,
        (false, true) => Exit::Failed,
        (false, false) => Exit::Success,
    })
}

/// The formatted text; if there is none, why has been said.
fn formatted(name: &str, text: &str) -> Result<Option<String>, Failure> {
    let mut sources = SourceMap::new();
    let id = sources.add(name, text);
    match format_file(id, text) {
        Ok(out) => Ok(Some(out)),
        Err(FormatError::Syntax(errors)) => {
            report(&errors, &sources)?;
            Ok(None)
        }
        Err(why) => {
            eprintln!("futc: {name} is left as it is: {why}");
            Ok(None)
        }
    }
}

/// The file, or the `.fut` files of a directory and those in it, in order of their names.
fn find(path: &Path, named: bool, out: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if path.is_dir() {
        let failed = |e| Failure::usage(format!("{}: {e}", path.display()));
        let entries: Result<Vec<_>, _> = std::fs::read_dir(path).map_err(failed)?.collect();
        let mut inside: Vec<PathBuf> = entries.map_err(failed)?.iter().map(|e| e.path()).collect();
        inside.sort();
        for entry in inside {
            // Links to directories could lead around in circles.
            if !(entry.is_symlink() && entry.is_dir()) {
                find(&entry, false, out)?;
            }
        }
    } else if named || path.extension().is_some_and(|e| e == "fut") {
        out.push(path.to_owned());
    }
    Ok(())
}
