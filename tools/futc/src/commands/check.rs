//! Commands about a program and what it imports: `check`, `imports`, `hash`.

use crate::args::{CheckArgs, ProgramArg};
use crate::commands::watch::watch;
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::{exit_of, put, report};
use crate::session::Session;
use crate::warnings::Warnings;
use futc_frontend::db;
use futc_frontend::syntax::print_ast;
use futc_frontend::world::is_prelude;
use sha2::{Digest as _, Sha256};

/// Runs `futc check`.
pub fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    if args.watch {
        return watch(args);
    }
    let session = Session::open(&args.program);
    if args.json {
        let said = session.diagnostics(&Warnings::new(&args.warnings)?);
        put(&json::diagnostics(&said, &session.db.sources()))?;
        return Ok(exit_of(&said));
    }
    session.check(&args.warnings)?;
    if args.print_elaborated {
        put(&db::elaborated(&session.db, session.root).map_err(Failure::new)?)?;
    }
    Ok(Exit::Success)
}

/// The program's files but the prelude's, each after those it imports, free of syntax errors.
fn files(session: &Session) -> Result<Vec<(String, db::SourceFile)>, Failure> {
    let mut out = Vec::new();
    for file in db::files_in_order(&session.db, session.root).iter() {
        let path = file.path(&session.db);
        if is_prelude(&path) {
            continue;
        }
        let parsed = db::parse(&session.db, *file);
        match report(&parsed.diagnostics, &session.db.sources())? {
            Exit::Success => out.push((path.to_string(), *file)),
            exit => return Err(Failure::said(exit)),
        }
    }
    Ok(out)
}

/// Runs `futc imports`.
pub fn imports(args: &ProgramArg) -> Result<Exit, Failure> {
    let session = Session::open(&args.program);
    let mut out = String::new();
    for (path, _) in files(&session)? {
        out.push_str(&path);
        out.push('\n');
    }
    put(&out)?;
    Ok(Exit::Success)
}

/// Runs `futc hash`: of the syntax trees, in the order of imports, so that neither white space
/// nor comments nor the place of the files matter.
pub fn hash(args: &ProgramArg) -> Result<Exit, Failure> {
    let session = Session::open(&args.program);
    let mut hasher = Sha256::new();
    for (_, file) in files(&session)? {
        hasher.update(print_ast(db::syntax_tree(&session.db, file)));
        hasher.update([0]);
    }
    let mut out = String::new();
    for byte in hasher.finalize() {
        out.push_str(&format!("{byte:02x}"));
    }
    out.push('\n');
    put(&out)?;
    Ok(Exit::Success)
}
