//! What is said about mistakes as users make them, word for word: each program in `messages/` has
//! beside it what is shown of it. `UPDATE_EXPECT=1` writes that anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors};
use futc_frontend::diag::render;
use futc_frontend::world::Memory;
use std::path::Path;
use std::sync::Arc;

fn shown(name: &str, text: &str) -> String {
    let db = CompilerDb::new(Arc::new(Memory::new().with(name, text)));
    let said = diagnostics(&db, db.source(name));
    assert!(has_errors(&said), "{name} is accepted");
    let shown = render(&said, &db.sources(), false);
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

#[test]
fn messages_are_as_they_were() {
    let work = || {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
        let mut programs: Vec<_> = std::fs::read_dir(&dir)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "fut"))
            .collect();
        programs.sort();
        assert!(programs.len() > 15);
        let mut changed = Vec::new();
        for path in programs {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let said = shown(&name, &std::fs::read_to_string(&path).unwrap());
            let beside = path.with_extension("txt");
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&beside, &said).unwrap();
            } else if std::fs::read_to_string(&beside).unwrap_or_default() != said {
                changed.push(said);
            }
        }
        assert!(changed.is_empty(), "UPDATE_EXPECT=1 takes these over:\n{}", changed.join("\n"));
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}
