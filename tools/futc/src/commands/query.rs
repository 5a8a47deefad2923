//! `futc query` and `futc lsp`: what editors ask.

use crate::args::QueryArgs;
use crate::exit::{Exit, Failure};
use crate::output::put;
use crate::session::Session;
use futc_frontend::index::{self, NoteKind};
use futc_frontend::lines::LineTable;
use std::fmt::Write as _;

/// Runs `futc query`: the name at a place, its type there, and where it is defined. The program
/// may have errors elsewhere.
pub fn query(args: &QueryArgs) -> Result<Exit, Failure> {
    let session = Session::open(&args.program);
    let (db, file) = (&session.db, session.root);
    let text = file
        .text(db)
        .as_ref()
        .map_err(|why| Failure::usage(format!("{}: {why}", args.program.display())))?;
    let table = LineTable::new(file.path(db), text);
    let Some(at) = table.offset(text, args.line, args.column) else {
        return Err(Failure::usage(format!(
            "{} has no line {} with a column {}",
            args.program.display(),
            args.line,
            args.column
        )));
    };
    let mut out = String::new();
    if let Some(o) = index::occurrence_at(db, file, at)
        && let Some(symbol) = index::symbol(db, o.target)
    {
        let defined = o.target.file;
        let written = defined.text(db).as_ref().map_or("", |text| text.as_ref());
        let lines = LineTable::new(defined.path(db), written);
        // A `String` cannot fail to be written to.
        let _ = writeln!(out, "Name: {}", symbol.name);
        let _ = writeln!(out, "Kind: {}", symbol.kind.describe());
        let notes = index::types_at(db, file, o.span);
        if let Some(note) = notes.first() {
            // At its definition, a function is shown with its parameters.
            let _ = match note.kind {
                NoteKind::Function if note.text.starts_with(':') => {
                    writeln!(out, "Type{}", note.text)
                }
                _ => writeln!(out, "Type: {}", note.text),
            };
        }
        let _ = writeln!(out, "Definition: {}", lines.locate(symbol.span));
    } else {
        let notes = index::notes(db, file, at);
        let around = notes.iter().filter(|n| n.span.start <= at && at < n.span.end);
        match around.min_by_key(|n| n.span.end - n.span.start) {
            Some(note) => {
                let _ = writeln!(out, "Type: {}", note.text);
            }
            None => out.push_str("No information available.\n"),
        }
    }
    put(&out)?;
    Ok(Exit::Success)
}

/// Runs `futc lsp`.
pub fn lsp() -> Result<Exit, Failure> {
    futc_lsp::run().map_err(|e| Failure::new(e.to_string()))?;
    Ok(Exit::Success)
}
