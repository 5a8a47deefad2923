//! The prelude: that it has what it must have, at the types it must have it at.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics, prelude_root, program};
use futc_frontend::diag::render_plain;
use futc_frontend::world::Memory;
use std::sync::Arc;

const NAMES: &str = include_str!("prelude_names.txt");

fn on_big_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 20).spawn(f).unwrap().join().unwrap();
}

#[test]
fn the_prelude_is_accepted() {
    on_big_stack(|| {
        let db = CompilerDb::new(Arc::new(Memory::new().with("main.fut", "")));
        // Of other programs only what they use of the prelude is looked at.
        let root = prelude_root(&db);
        let said = diagnostics(&db, root);
        assert!(said.is_empty(), "{}", render_plain(&said, &db.sources()));
        assert!(program(&db, root).defs.len() > 100);
        assert_eq!(program(&db, db.source("main.fut")).defs.len(), 0);
    });
}

/// What is said about a program that ascribes each specification to the prelude. There is one
/// module per line, so that all that is missing is told.
fn ascribed(types: &str, values: &str) -> (Vec<&'static str>, String) {
    let mut text = String::from(types);
    for (i, line) in values.lines().enumerate() {
        text.push_str(&format!("module check{i} : {{ {line} }} = import \"/prelude/prelude\"\n"));
    }
    let db = CompilerDb::new(Arc::new(Memory::new().with("main.fut", &text)));
    let said = diagnostics(&db, db.source("main.fut"));
    (said.iter().map(|d| d.code.name()).collect(), render_plain(&said, &db.sources()))
}

#[test]
fn the_prelude_has_all_names_at_their_types() {
    on_big_stack(|| {
        let [types, values, _] = sections();
        let (codes, text) = ascribed(types, values);
        assert!(codes.is_empty(), "{text}");
    });
}

#[test]
fn what_the_prelude_still_lacks_is_listed_as_such() {
    on_big_stack(|| {
        let [types, _, missing] = sections();
        let (codes, text) = ascribed(types, missing);
        assert_eq!(codes, vec!["missing-value"; missing.lines().count()], "{text}");
    });
}

/// Module types, what there is, and what is missing.
fn sections() -> [&'static str; 3] {
    let sections: Vec<&str> = NAMES.split("--------\n").collect();
    sections.try_into().expect("there are two lines of dashes")
}
