//! Edits recheck what depends on them and nothing else.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{
    CompilerDb, Db, SourceFile, absolute, cancellable, declaration_at, diagnostics, program,
};
use futc_frontend::diag::render_plain;
use futc_frontend::world::Memory;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

type Log = Mutex<Vec<String>>;

/// A database and the log of queries it runs.
fn logged(world: Memory) -> (CompilerDb, Arc<Log>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = log.clone();
    let events = Box::new(move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            sink.lock().unwrap().push(format!("{database_key:?}"));
        }
    });
    (CompilerDb::with_events(Arc::new(world), Some(events)), log)
}

fn runs(log: &Log, query: &str) -> usize {
    log.lock().unwrap().iter().filter(|line| line.starts_with(query)).count()
}

/// A program that has been checked, and what an edit of it costs.
struct Edited {
    db: CompilerDb,
    log: Arc<Log>,
    root: SourceFile,
    texts: BTreeMap<&'static str, String>,
}

impl Edited {
    fn new(files: &[(&'static str, &str)]) -> Edited {
        let world = files.iter().fold(Memory::new(), |w, (path, text)| w.with(path, text));
        let (db, log) = logged(world);
        let root = db.source("main.fut");
        let texts = files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        let edited = Edited { db, log, root, texts };
        assert_eq!(edited.said(), "");
        let _ = program(&edited.db, root);
        edited
    }

    fn said(&self) -> String {
        render_plain(&diagnostics(&self.db, self.root), &self.db.sources())
    }

    /// Puts `new` for `old` and says how many declarations were checked for it. What is said
    /// afterwards is what a new database says.
    fn replace(&mut self, path: &'static str, old: &str, new: &str) -> usize {
        let text = self.texts.get_mut(path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{old:?} stands once in {path}");
        *text = text.replace(old, new);
        self.log.lock().unwrap().clear();
        self.db.set_text(path, text);
        let said = self.said();
        let checked = runs(&self.log, "check_dec(");
        let _ = program(&self.db, self.root);
        assert_eq!(runs(&self.log, "check_dec("), checked);
        let world = self.texts.iter().fold(Memory::new(), |w, (path, text)| w.with(path, text));
        let fresh = CompilerDb::new(Arc::new(world));
        let root = fresh.source("main.fut");
        assert_eq!(said, render_plain(&diagnostics(&fresh, root), &fresh.sources()));
        assert_eq!(program(&self.db, self.root).defs.len(), program(&fresh, root).defs.len());
        checked
    }
}

const CHAIN: &str = "type t = i32

-- | The first.
def f (x: t) : t = x + 1

def g (x: t) = f x * 2
-- Between.
def h (x: t) = g x - f x

def k [n] (xs: [n]t) = map h xs
";

#[test]
fn an_edit_inside_a_body_rechecks_that_function_alone() {
    let mut p = Edited::new(&[("main.fut", CHAIN)]);
    // As long as before, longer, shorter, over several lines.
    assert_eq!(p.replace("main.fut", "x + 1", "x + 2"), 1);
    assert_eq!(p.replace("main.fut", "x + 2", "let y = x + 2 in y * y"), 1);
    assert_eq!(p.replace("main.fut", "let y = x + 2 in y * y", "x"), 1);
    assert_eq!(p.replace("main.fut", "f x * 2", "\n  -- Twice.\n  f x\n  * 2"), 1);
    assert_eq!(p.replace("main.fut", "map h xs", "map (\\x -> h x + 1) xs"), 1);
}

#[test]
fn comments_and_blank_lines_between_declarations_recheck_nothing() {
    let mut p = Edited::new(&[("main.fut", CHAIN)]);
    assert_eq!(p.replace("main.fut", "type t", "\n\n-- A type.\n\ntype t"), 0);
    assert_eq!(p.replace("main.fut", "-- Between.", "-- In between, and longer.\n\n\n"), 0);
    assert_eq!(p.replace("main.fut", "-- | The first.", "-- | The very first."), 0);
    assert_eq!(p.replace("main.fut", "-- | The very first.\n", ""), 0);
    assert_eq!(p.replace("main.fut", "map h xs\n", "map h xs -- Done.\n\n"), 0);
}

#[test]
fn an_edit_of_a_type_rechecks_users() {
    let text = "def f (x: i32) = x\ndef a (y: bool) = y && f 1 == 1\ndef b = 2i32\ndef c = a\n";
    let mut p = Edited::new(&[("main.fut", text)]);
    // f, and a, whose type stays.
    assert_eq!(p.replace("main.fut", "(x: i32)", "(x: i64)"), 2);
    assert_eq!(p.said(), "");
    // f and a, which is refused, so c as well.
    assert_eq!(p.replace("main.fut", "(x: i64)", "(x: bool)"), 3);
    assert_ne!(p.said(), "");
    assert_eq!(p.replace("main.fut", "f 1 == 1", "f false"), 2);
    assert_eq!(p.said(), "");
}

#[test]
fn a_new_declaration_rechecks_what_mentions_its_name() {
    let mut p = Edited::new(&[("main.fut", "def f x = x + 1i32\ndef a = f 1\ndef b = 2i32\n")]);
    assert_eq!(p.replace("main.fut", "def a", "def c = true\n\ndef a"), 1);
    // Shadows the prelude for what comes after it.
    assert_eq!(p.replace("main.fut", "def c = true", "def map = true"), 1);
    assert_eq!(p.replace("main.fut", "def map = true\n\n", ""), 0);
    assert_eq!(p.replace("main.fut", "def a", "local def f (x: i32) = (x, x)\ndef a"), 2);
}

#[test]
fn an_error_in_a_body_is_found_and_goes_away() {
    let mut p = Edited::new(&[("main.fut", CHAIN)]);
    p.replace("main.fut", "g x - f x", "g x - true");
    assert!(p.said().contains("main.fut:8:"), "{}", p.said());
    // What uses the function is not to blame.
    assert_eq!(p.said().lines().count(), 1, "{}", p.said());
    // The error moves with its declaration, without its being checked again.
    assert_eq!(p.replace("main.fut", "type t", "\n\ntype t"), 0);
    assert!(p.said().contains("main.fut:10:"), "{}", p.said());
    p.replace("main.fut", "g x - true", "g x - f x");
    assert_eq!(p.said(), "");
}

#[test]
fn an_edit_in_an_imported_body_rechecks_nothing_in_the_importer() {
    let mut p = Edited::new(&[
        ("main.fut", "import \"a\"\nmodule m = import \"b\"\ndef z = x 1 + m.y + w\ndef v = w\n"),
        ("a.fut", "def x (i: i32) = i\ndef w = 1i32\n"),
        ("b.fut", "def y = 1i32"),
    ]);
    assert_eq!(p.replace("a.fut", "= i\n", "=\n  let j = i + 1\n  in j * i\n"), 1);
    assert_eq!(p.replace("b.fut", "1i32", "1i32 + 2"), 1);
    // x, the import, and z, which uses x; not v.
    assert_eq!(p.replace("a.fut", "(i: i32)", "(i: i64)"), 3);
    assert_ne!(p.said(), "");
}

#[test]
fn a_module_is_checked_as_a_whole_but_its_users_are_not() {
    let mut p = Edited::new(&[(
        "main.fut",
        "module m = { def f (x: i32) = x def g (x: i32) = f x }\nopen m\ndef a = m.f 1 + g 2\n",
    )]);
    assert_eq!(p.replace("main.fut", "= x def", "= x + 1 def"), 1);
    // Its functions have other numbers now, so that users must see them.
    assert_eq!(p.replace("main.fut", "{ def", "{ def e = 1i32 def"), 3);
}

#[test]
fn opened_names_hide_and_are_hidden() {
    let mut p = Edited::new(&[(
        "main.fut",
        "module m = { def x = true }\ndef x = 1i32\ndef a = x + 1\nopen m\ndef b = !x\nlocal def x = 2i32\ndef c = x + a\n",
    )]);
    assert_eq!(p.replace("main.fut", "!x", "x && b"), 1);
    assert!(p.said().contains("unknown-name"), "{}", p.said());
    assert_eq!(p.replace("main.fut", "x && b", "x && x"), 1);
    assert_eq!(p.said(), "");
}

#[test]
fn names_like_unknown_ones_are_suggested_from_everywhere() {
    let mut p = Edited::new(&[(
        "main.fut",
        "module shapes = { def area = 1i32 }\ndef perimeter = 1i32\nopen shapes\ndef diameter = 2i32\ndef a = 1i32\n",
    )]);
    let mut hint = |old: &str, new: &str| {
        p.replace("main.fut", old, new);
        let said = diagnostics(&p.db, p.root);
        said.iter().flat_map(|d| d.hints.clone()).collect::<Vec<_>>().join(" ")
    };
    assert!(hint("a = 1i32\n", "a = perimetr\n").contains("perimeter"));
    assert!(hint("perimetr\n", "diametr\n").contains("diameter"));
    assert!(hint("diametr\n", "ared\n").contains("area"));
    assert!(hint("ared\n", "reducs\n").contains("reduce"));
    assert!(hint("reducs\n", "shaps.area\n").contains("shapes") || p.said().contains("shaps"));
}

#[test]
fn long_chains_of_definitions_need_no_deep_stack() {
    let mut text = "def f0 (x: i32) = x\n".to_owned();
    for i in 1..2_000 {
        text.push_str(&format!("def f{i} x = f{} x\n", i - 1));
    }
    text.push_str("def last = f1999 1\n");
    let mut p = Edited::new(&[("main.fut", &text)]);
    assert_eq!(p.replace("main.fut", "= x\n", "= x + 1\n"), 1);
    assert_eq!(p.replace("main.fut", "f0 (x: i32)", "f0 (x: i64)"), 2_001);
    assert_eq!(p.replace("main.fut", "f1999 1", "f1999 2"), 1);
}

#[test]
fn a_place_in_a_file_leads_to_its_declaration_and_back() {
    let p = Edited::new(&[("main.fut", CHAIN)]);
    let at = CHAIN.find("g x - f").unwrap() as u32;
    let (dec, byte) = declaration_at(&p.db, p.root, at).unwrap();
    assert_eq!(dec.text(&p.db).get(byte as usize..), Some("g x - f x"));
    let name = dec.head(&p.db).binds.name().unwrap();
    assert_eq!(name.name.as_str(), "h");
    let (file, span) = absolute(&p.db, name.span).unwrap();
    assert!(file == p.root);
    assert_eq!(CHAIN.get(span.start as usize..span.end as usize), Some("h"));
    let between = CHAIN.find("Between").unwrap() as u32;
    assert!(declaration_at(&p.db, p.root, between).is_none());
    let first = declaration_at(&p.db, p.root, CHAIN.find("def f").unwrap() as u32).unwrap().0;
    assert_eq!(first.doc(&p.db).as_deref(), Some("The first."));
}

#[test]
fn a_query_stops_when_a_text_is_set() {
    let mut text = String::new();
    for i in 0..3_000 {
        text.push_str(&format!("def f{i} (x: i32) = (x + {i}) * (x - {i})\n"));
    }
    let mut db = CompilerDb::new(Arc::new(Memory::new().with("main.fut", &text)));
    let root = db.source("main.fut");
    let (started, start) = std::sync::mpsc::channel();
    let reader = db.clone();
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
        started.send(()).unwrap();
        let result = cancellable(|| diagnostics(&reader, root).len());
        drop(reader);
        result
    });
    start.recv().unwrap();
    // Does not return before the reader has given up.
    db.set_text("main.fut", "def f = 1 + true");
    let cancelled = thread.unwrap().join().unwrap();
    assert!(cancelled.is_none() || cancelled == Some(0));
    assert_eq!(diagnostics(&db, root).len(), 1);
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
fn an_edit_that_changes_what_a_file_provides_rechecks_what_uses_it() {
    let world = Memory::new()
        .with("main.fut", "import \"a\" import \"b\" def z = x def w = y")
        .with("a.fut", "def x = 1i32")
        .with("b.fut", "def y = 1i32");
    let (mut db, log) = logged(world);
    let root = db.source("main.fut");
    assert!(diagnostics(&db, root).is_empty());
    log.lock().unwrap().clear();
    db.set_text("a.fut", "def x = true");
    assert!(diagnostics(&db, root).is_empty());
    // x, its import, and z.
    assert_eq!(runs(&log, "check_dec("), 3, "{:?}", log.lock().unwrap());
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
