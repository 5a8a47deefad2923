//! `typed FILE [NAME]`: checks a file and prints what is wrong with it, else the typed program, or
//! the definitions whose names contain NAME.

#![allow(clippy::print_stdout, reason = "a tool")]

use futc_frontend::check::print::definition;
use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, program};
use futc_frontend::diag::render;
use futc_frontend::world::Disk;
use std::sync::Arc;

fn run() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_default();
    let name = args.next();
    let db = CompilerDb::new(Arc::new(Disk));
    let root = db.source(&path);
    let said = diagnostics(&db, root);
    print!("{}", render(&said, &db.sources(), false));
    if has_errors(&said) {
        return;
    }
    for def in &program(&db, root).defs {
        let wanted = match &name {
            Some(n) => def.name.as_str().contains(n.as_str()),
            None => db.file_of(def.id.file) == Some(root),
        };
        if wanted {
            println!("{}", definition(def));
        }
    }
}

fn main() {
    if let Ok(handle) = std::thread::Builder::new().stack_size(1 << 30).spawn(run) {
        let _ = handle.join();
    }
}
