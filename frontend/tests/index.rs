//! The semantic index: names, their places and types, also in files with errors. Places in the
//! programs are marked with `|`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, SourceFile};
use futc_frontend::index::{
    RenameError, SymbolKind, complete, occurrence_at, references, rename, symbol, types_at,
};
use futc_frontend::world::Memory;
use std::sync::Arc;

struct Program {
    db: CompilerDb,
    file: SourceFile,
    text: String,
    at: u32,
}

/// A program in which the first `|` marks a place.
fn program(marked: &str) -> Program {
    with_import(marked, "")
}

fn with_import(marked: &str, lib: &str) -> Program {
    let at = marked.find('|').unwrap_or_else(|| panic!("no place is marked"));
    let text = format!("{}{}", &marked[..at], &marked[at + 1..]);
    let world = Memory::new().with("a.fut", &text).with("lib.fut", lib);
    let db = CompilerDb::new(Arc::new(world));
    let file = db.source("a.fut");
    Program { db, file, text, at: at as u32 }
}

impl Program {
    /// Where the name at the place is bound: `path:line`, kind and text.
    fn definition(&self) -> Option<String> {
        let o = occurrence_at(&self.db, self.file, self.at)?;
        let symbol = symbol(&self.db, o.target)?;
        let path = o.target.file.path(&self.db);
        let text = o.target.file.text(&self.db).clone().unwrap_or_else(|e| panic!("{e}"));
        let line = text[..symbol.span.start as usize].lines().count().max(1);
        Some(format!("{path}:{line} {} {}", symbol.kind.describe(), symbol.name))
    }

    fn ty(&self) -> Option<String> {
        let o = occurrence_at(&self.db, self.file, self.at)?;
        types_at(&self.db, self.file, o.span).first().map(|n| n.text.to_string())
    }

    fn references(&self) -> Vec<u32> {
        let o = occurrence_at(&self.db, self.file, self.at).unwrap_or_else(|| panic!("no name"));
        let found = references(&self.db, &[self.file], o.target);
        found.iter().map(|(_, o)| o.span.start).collect()
    }

    fn renamed(&self, new: &str) -> Result<String, RenameError> {
        let o = occurrence_at(&self.db, self.file, self.at).unwrap_or_else(|| panic!("no name"));
        let mut text = self.text.clone();
        for (_, span, new) in rename(&self.db, &[self.file], o.target, new)?.into_iter().rev() {
            text.replace_range(span.start as usize..span.end as usize, &new);
        }
        Ok(text)
    }

    fn completions(&self) -> Vec<String> {
        complete(&self.db, self.file, self.at).into_iter().map(|c| c.label).collect()
    }
}

#[track_caller]
fn leads_to(marked: &str, expected: &str) {
    assert_eq!(program(marked).definition().as_deref(), Some(expected), "{marked}");
}

#[test]
fn names_lead_to_what_binds_them() {
    leads_to("def f x = x\n\ndef g = |f 1", "a.fut:1 value f");
    leads_to("def f x =\n  let y = x\n  in y| + x", "a.fut:2 variable y");
    leads_to("def f x =\n  let y = x\n  let x = y\n  in |x", "a.fut:3 variable x");
    leads_to("def f [n] (xs: [n]i32) = |n", "a.fut:1 size n");
    leads_to("def f [n]\n (xs: [|n]i32) = n", "a.fut:1 size n");
    leads_to("type t = i32\n\ndef f (x: |t) = x", "a.fut:1 type t");
    leads_to("def f 'a\n (x: |a) = x", "a.fut:1 type parameter a");
    leads_to("def f x =\n loop y = x for i < 10 do y + |i", "a.fut:2 variable i");
    leads_to("def f x = match x\n case #some y ->\n |y", "a.fut:2 variable y");
    leads_to("def f x =\n let g y = y\n in |g x", "a.fut:2 variable g");
    leads_to("def f (x: i32): i32 =\n if x == 0 then 0 else |f (x - 1)", "a.fut:1 value f");
}

#[test]
fn the_prelude_is_found() {
    let found = program("def f xs = |map (+ 1) xs").definition().unwrap_or_default();
    assert!(found.starts_with("/prelude/") && found.ends_with("value map"), "{found}");
    let found = program("def f = f64.|sqrt 2").definition().unwrap_or_default();
    assert!(found.starts_with("/prelude/") && found.ends_with("value sqrt"), "{found}");
}

#[test]
fn modules_lead_to_their_definitions() {
    leads_to("module m = {\n def x = 1 }\ndef y = m.|x", "a.fut:2 value x");
    leads_to("module m = {\n def x = 1 }\ndef y = |m.x", "a.fut:1 module m");
    leads_to(
        "module type s = { val x: i32 }\nmodule m : s = {\n def x = 1i32 }\nopen m\ndef y = |x",
        "a.fut:3 value x",
    );
    leads_to("module type s = {\n type t }\nmodule f (P: s) = { type u = P.|t }", "a.fut:2 type t");
    leads_to(
        "module f (P: {}) = {\n def x = 1 }\nmodule m = f {}\ndef y = m.|x",
        "a.fut:2 value x",
    );
    leads_to("module m = {\n def x = 1 }\ndef x = 2\ndef y = m.(|x)", "a.fut:2 value x");
    let p = with_import("import \"lib\"\ndef y = |x", "\n\ndef x = 1");
    assert_eq!(p.definition().as_deref(), Some("lib.fut:3 value x"));
}

#[test]
fn types_have_sizes() {
    assert_eq!(program("def f (n: i64) = let |xs = iota n in xs").ty().as_deref(), Some("[n]i64"));
    assert_eq!(program("def f [n] (xs: [n]f32) = map (+ 1) |xs").ty().as_deref(), Some("[n]f32"));
    assert_eq!(
        program("def |f [n] 'a (x: [n]a) = x").ty().as_deref(),
        Some("[n] 'a : [n]a -> [n]a")
    );
}

#[test]
fn files_with_errors_are_indexed() {
    let marked = "def f = 1 + true\ndef g (x: i32) = |x\ndef h = (";
    leads_to(marked, "a.fut:2 variable x");
    assert_eq!(program(marked).ty().as_deref(), Some("i32"));
    // In the very definition that is wrong.
    assert_eq!(program("def f (x: i32) = |x + true").ty().as_deref(), Some("i32"));
}

#[test]
fn bodies_of_parametric_modules_have_the_types_they_are_written_with() {
    let marked = "module f (P: {type t val x: t}) = { def y = |P.x }\nmodule m = f {type t = i32 def x = 1i32}";
    let p = program(marked);
    let notes =
        types_at(&p.db, p.file, futc_typed::span::Span::new(p.file.id(&p.db), p.at, p.at + 3));
    assert_eq!(notes.first().map(|n| n.text.to_string()).as_deref(), Some("t"));
}

#[test]
fn references_are_all_uses_and_the_binding() {
    let p = program("def |f x = x\ndef g f = f\ndef h = f (g f)");
    assert_eq!(p.references(), [4, 32, 37]);
    let p = program("def f (x: [3]i32) = let |x[0] = 1 in x");
    assert_eq!(p.references(), [7, 24, 36]);
}

#[test]
fn names_are_changed_everywhere() {
    assert_eq!(
        program("def f |x = let y = {x} in y.x + x").renamed("z"),
        Ok("def f z = let y = {x = z} in y.x + z".to_owned())
    );
    assert_eq!(
        program("def |f x = x\ndef g = f 1").renamed("h"),
        Ok("def h x = x\ndef g = h 1".to_owned())
    );
    assert_eq!(
        program("def f {|a, b = c} = a + c").renamed("x"),
        Ok("def f {a = x, b = c} = x + c".to_owned())
    );
}

#[test]
fn names_are_not_changed_where_that_would_change_the_program() {
    let clash = |r: Result<String, RenameError>| {
        assert!(matches!(r, Err(RenameError::Clash { .. })), "{r:?}")
    };
    clash(program("def f |x = let y = 1 in x + y").renamed("y"));
    clash(program("def f y = let |x = 1 in x + y").renamed("y"));
    clash(program("def g = 1\ndef |f x = g").renamed("g"));
    assert!(matches!(
        program("def f xs = |map (+ 1) xs").renamed("m"),
        Err(RenameError::Prelude(_))
    ));
    assert!(matches!(program("def |f = 1").renamed("let"), Err(RenameError::NotAName(_))));
    assert!(matches!(program("def |f = 1").renamed("a b"), Err(RenameError::NotAName(_))));
    assert!(matches!(program("def (|<+>) x y = x").renamed("a"), Err(RenameError::Operator(_))));
    assert!(matches!(
        program("module m : {val x: i32} = { def |x = 1i32 }").renamed("y"),
        Err(RenameError::Tied(_))
    ));
}

#[test]
fn what_is_in_scope_is_offered() {
    let found =
        program("def before = 1\ndef f x =\n  let y = x\n  in |\n\ndef after = 1").completions();
    for name in ["x", "y", "f", "before", "map", "f32", "i64"] {
        assert!(found.iter().any(|f| f == name), "{name} is missing");
    }
    assert!(!found.iter().any(|f| f == "after"));
    let found = program("module m = { def a = 1 type b = i32 }\ndef f = m.|").completions();
    assert_eq!(found, ["a", "b"]);
    let found = program("def f (r: {a: i32, b: {c: i32}}) = r.|").completions();
    assert_eq!(found, ["a", "b"]);
    let found = program("def f (r: {a: i32, b: {c: i32}}) = r.b.|").completions();
    assert_eq!(found, ["c"]);
    let found = program("def f n = let r = {len = n, sum = 1i32} in r.s|").completions();
    assert_eq!(found, ["len", "sum"]);
}

#[test]
fn fields_are_offered_with_their_types() {
    let types = |text: &str| {
        let p = program(text);
        let found = complete(&p.db, p.file, p.at);
        found.into_iter().map(|c| c.detail.unwrap_or_default()).collect::<Vec<_>>()
    };
    let text = "def f [n] (r: {a: [n]i32, b: {c: i32 -> bool}}) = r.|";
    assert_eq!(types(text), ["[n]i32", "{c: i32 -> bool}"]);
    assert_eq!(types("def f (r: {a: i32, b: {c: (i32, bool)}}) = r.b.|"), ["(i32, bool)"]);
    assert_eq!(types("def r = {a = 1i32, b = true}\ndef x = r.|"), ["i32", "bool"]);
}

#[test]
fn kinds_are_told_apart() {
    let p = program("module type |s = {}");
    let o = occurrence_at(&p.db, p.file, p.at).unwrap_or_else(|| panic!("no name"));
    assert_eq!(symbol(&p.db, o.target).map(|s| s.kind), Some(SymbolKind::ModuleType));
}
