//! Commands about source text alone: `tokens`, `check-syntax`, `defs`.

use crate::args::ProgramArg;
use crate::exit::{Exit, Failure};
use crate::output::{put, report};
use futc_frontend::diag::{SourceMap, Sources as _};
use futc_frontend::syntax::ast::{Dec, DecKind, File, ModExp, ModExpKind, Span};
use futc_frontend::syntax::lexer::lex;
use futc_frontend::syntax::parser::parse_file;
use futc_frontend::syntax::print_tokens;
use futc_typed::span::{FileId, Locate as _};
use std::path::Path;

/// Reads one file.
fn read(program: &Path) -> Result<(SourceMap, FileId), Failure> {
    let name = program.display().to_string();
    let bytes = std::fs::read(program).map_err(|e| Failure::usage(format!("{name}: {e}")))?;
    let text =
        String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{name}: is not UTF-8")))?;
    let mut sources = SourceMap::new();
    let id = sources.add(name, text);
    Ok((sources, id))
}

/// Runs `futc tokens`.
pub fn tokens(args: &ProgramArg) -> Result<Exit, Failure> {
    let (sources, id) = read(&args.program)?;
    let text = sources.text(id).unwrap_or("");
    let (tokens, diagnostics) = lex(id, text);
    put(&print_tokens(&tokens, text))?;
    report(&diagnostics, &sources)
}

/// Parses one file; syntax errors end it.
fn parse(program: &Path) -> Result<(SourceMap, File), Failure> {
    let (sources, id) = read(program)?;
    let (file, diagnostics) = parse_file(id, sources.text(id).unwrap_or(""));
    match report(&diagnostics, &sources)? {
        Exit::Success => Ok((sources, file)),
        exit => Err(Failure::said(exit)),
    }
}

/// Runs `futc check-syntax`.
pub fn check_syntax(args: &ProgramArg) -> Result<Exit, Failure> {
    parse(&args.program).map(|_| Exit::Success)
}

/// Runs `futc defs`: kind, name and place of every definition, also inside modules.
pub fn defs(args: &ProgramArg) -> Result<Exit, Failure> {
    let (sources, file) = parse(&args.program)?;
    let mut out = String::new();
    let mut say = |kind: &str, path: &str, span: Span| {
        out.push_str(&format!("{kind} {path} {}\n", sources.locate(span)));
    };
    decs(&file.decs, "", &mut say);
    put(&out)?;
    Ok(Exit::Success)
}

fn decs(decs: &[Dec], path: &str, say: &mut impl FnMut(&str, &str, Span)) {
    for d in decs {
        dec(&d.kind, path, say);
    }
}

fn dec(kind: &DecKind, path: &str, say: &mut impl FnMut(&str, &str, Span)) {
    match kind {
        DecKind::Val(v) => say("value", &format!("{path}{}", v.name.name), v.name.span),
        DecKind::Type(t) => say("type", &format!("{path}{}", t.name.name), t.name.span),
        DecKind::ModType(t) => {
            say("module-type", &format!("{path}{}", t.name.name), t.name.span);
        }
        DecKind::Mod(m) => {
            let name = format!("{path}{}", m.name.name);
            say("module", &name, m.name.span);
            inside(&m.body, &format!("{name}."), say);
        }
        DecKind::Local(d) => dec(&d.kind, path, say),
        DecKind::Open(m) => inside(m, path, say),
        DecKind::Import(_) => {}
    }
}

fn inside(m: &ModExp, path: &str, say: &mut impl FnMut(&str, &str, Span)) {
    match &m.kind {
        ModExpKind::Decs(ds) => decs(ds, path, say),
        ModExpKind::Parens(m) | ModExpKind::Ascript(m, _) | ModExpKind::Lambda(_, _, m) => {
            inside(m, path, say);
        }
        ModExpKind::Var(_) | ModExpKind::Import(_) | ModExpKind::Apply(..) => {}
    }
}
