//! `futc explain`: what diagnostics mean, at length.

use crate::args::ExplainArgs;
use crate::exit::{Exit, Failure};
use crate::output::{colour_of, put};
use futc_frontend::explain::{Page, page, pages, similar};
use std::fmt::Write as _;

/// Shows a page, or the list of all.
pub fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let Some(name) = &args.name else {
        put(&list())?;
        return Ok(Exit::Success);
    };
    // As it stands in a message, `error[type-mismatch]`, it will do too.
    let name = match name.split_once('[') {
        Some((_, inner)) => inner.trim_end_matches(']'),
        None => name.as_str(),
    };
    let Some(found) = page(name) else {
        return Err(Failure::usage(match similar(name) {
            Some(like) => format!("there is no diagnostic '{name}'; did you mean '{like}'?"),
            None => format!("there is no diagnostic '{name}'; 'futc explain' lists them all"),
        }));
    };
    put(&shown(found, colour_of(&std::io::stdout())))?;
    Ok(Exit::Success)
}

fn list() -> String {
    let width = pages().iter().map(|p| p.code.len()).max().unwrap_or(0);
    let mut out = String::new();
    for page in pages() {
        let _ = writeln!(out, "{:width$}  {}", page.code, page.title());
    }
    out
}

/// The page for a terminal: headings without marks, programs indented.
fn shown(page: &Page, colour: bool) -> String {
    let bold = |text: &str| match colour {
        true => format!("\x1b[1m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    let mut out = format!("{}\n", bold(&format!("{}: {}", page.code, page.title())));
    let mut program = false;
    for line in page.text.lines().skip(1) {
        match (line.strip_prefix("```"), line.strip_prefix("## ")) {
            (Some(fence), _) => {
                program = !program;
                if let Some(file) = fence.strip_prefix("futhark ") {
                    let _ = writeln!(out, "  (file {file})");
                }
            }
            (None, _) if program => {
                let _ = writeln!(out, "{}", format!("    {line}").trim_end());
            }
            (None, Some(heading)) => {
                let _ = writeln!(out, "{}", bold(&format!("{heading}:")));
            }
            (None, None) => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out
}
