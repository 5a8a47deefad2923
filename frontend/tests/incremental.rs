//! Edits recheck what depends on them and nothing else.

#![allow(clippy::unwrap_used, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics, program};
use futc_frontend::world::Memory;
use std::sync::{Arc, Mutex};

/// A database and the log of queries it runs.
fn logged(world: Memory) -> (CompilerDb, Arc<Mutex<Vec<String>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = log.clone();
    let events = Box::new(move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            sink.lock().unwrap().push(format!("{database_key:?}"));
        }
    });
    (CompilerDb::with_events(Arc::new(world), Some(events)), log)
}

fn runs(log: &Mutex<Vec<String>>, query: &str) -> usize {
    log.lock().unwrap().iter().filter(|line| line.starts_with(query)).count()
}

#[test]
fn an_edit_does_not_recheck_files_that_do_not_import_the_file() {
    let world = Memory::new()
        .with("main.fut", "import \"a\" import \"b\" def z = x + y")
        .with("a.fut", "def x = 1i32")
        .with("b.fut", "def y = 1i32");
    let (mut db, log) = logged(world);
    let root = db.source("main.fut");
    assert!(diagnostics(&db, root).is_empty());
    let _ = program(&db, root);
    log.lock().unwrap().clear();
    db.set_text("a.fut", "def x = 2i32");
    assert!(diagnostics(&db, root).is_empty());
    let _ = program(&db, root);
    assert_eq!(runs(&log, "parse("), 1, "{:?}", log.lock().unwrap());
    // The file itself; what it provides is the same, so the importer is not.
    assert_eq!(runs(&log, "check_file("), 1, "{:?}", log.lock().unwrap());
}

#[test]
fn an_edit_that_changes_what_a_file_provides_rechecks_importers() {
    let world = Memory::new()
        .with("main.fut", "import \"a\" import \"b\" def z = x")
        .with("a.fut", "def x = 1i32")
        .with("b.fut", "def y = 1i32");
    let (mut db, log) = logged(world);
    let root = db.source("main.fut");
    assert!(diagnostics(&db, root).is_empty());
    log.lock().unwrap().clear();
    db.set_text("a.fut", "def x = true");
    assert!(diagnostics(&db, root).is_empty());
    assert_eq!(runs(&log, "check_file("), 2, "{:?}", log.lock().unwrap());
}

#[test]
fn nothing_runs_when_nothing_changes() {
    let (mut db, log) = logged(Memory::new().with("main.fut", "def x = 1i32"));
    let root = db.source("main.fut");
    let first = program(&db, root);
    log.lock().unwrap().clear();
    db.set_text("main.fut", "def x = 1i32");
    assert!(Arc::ptr_eq(&first, &program(&db, root)));
    assert!(log.lock().unwrap().is_empty());
}

#[test]
fn a_file_that_appears_is_found() {
    let (mut db, _) = logged(Memory::new().with("main.fut", "import \"a\" def y = x"));
    let root = db.source("main.fut");
    assert!(!diagnostics(&db, root).is_empty());
    db.set_text("a.fut", "def x = 1i32");
    assert!(diagnostics(&db, root).is_empty());
}
