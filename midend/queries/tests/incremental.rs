//! Edits internalise again what depends on them and nothing else.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, SourceFile};
use futc_frontend::world::Memory;
use futc_midend::internalise::Options;
use futc_queries::{Core, Settings, core};
use std::sync::{Arc, Mutex};

fn get(db: &CompilerDb, root: SourceFile, settings: Settings) -> Core {
    match core(db, root, settings) {
        Ok(core) => core,
        Err(e) => panic!("{e}"),
    }
}

fn on_big_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 20).spawn(f).unwrap().join().unwrap();
}

#[test]
fn what_entry_points_do_not_reach_is_not_internalised_again() {
    on_big_stack(|| {
        let log = Arc::new(Mutex::new(Vec::new()));
        let sink = log.clone();
        let events = Box::new(move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                sink.lock().unwrap().push(format!("{database_key:?}"));
            }
        });
        let world = Memory::new()
            .with("main.fut", "import \"a\" entry f (x: i32) = g x\nlocal def h = 1i32")
            .with("a.fut", "def g (x: i32) = x + 1");
        let mut db = CompilerDb::with_events(Arc::new(world), Some(events));
        let root = db.source("main.fut");
        let settings = Settings::new(&db, Options::default());
        let first = get(&db, root, settings);
        assert_eq!(first.0.funs.iter().filter(|f| f.entry.is_some()).count(), 1);

        let ran = |log: &Mutex<Vec<String>>| {
            let ran = log.lock().unwrap().iter().filter(|q| q.starts_with("core(")).count();
            log.lock().unwrap().clear();
            ran
        };
        assert_eq!(ran(&log), 1);
        db.set_text("main.fut", "import \"a\" entry f (x: i32) = g x\nlocal def h = 2i32");
        assert!(Arc::ptr_eq(&first.0, &get(&db, root, settings).0));
        assert_eq!(ran(&log), 0);
        db.set_text("a.fut", "def g (x: i32) = x + 2");
        assert!(!Arc::ptr_eq(&first.0, &get(&db, root, settings).0));
        assert_eq!(ran(&log), 1);
    });
}
