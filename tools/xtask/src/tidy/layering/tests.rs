//! What the checks find in small made-up crates.

use super::super::layers::Layer;
use super::super::{imports, modules};
use super::{circles, names, violations};
use std::path::Path;

/// The findings about a made-up crate in the folder `c`: circles, then what goes against `layers`.
fn findings(files: &[(&str, &str)], layers: &[Layer]) -> Vec<String> {
    let read = |path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new("c/src").join(name) == path);
        found.map(|(_, text)| (*text).to_owned())
    };
    let modules = modules::read(Path::new("c/src/lib.rs"), &read).unwrap();
    let imports = imports::imports(&modules);
    let names = names(&modules.files, "c");
    let mut all = circles(&names, &imports);
    all.extend(violations("c", &names, layers, &imports));
    all
}

#[test]
fn a_circle_is_shown_with_its_imports() {
    let found = findings(
        &[
            ("lib.rs", "mod a; mod b; mod d;"),
            ("a.rs", "use crate::b::f;\npub fn g() { f() }"),
            ("b.rs", "\npub fn f() {\n    super::d::h()\n}"),
            ("d.rs", "pub fn h() { let _ = format!(\"{}\", crate::a::g()); }"),
        ],
        &[],
    );
    assert_eq!(
        found,
        ["3 files import each other: src/a.rs → src/b.rs → src/d.rs → src/a.rs\
          \n      src/a.rs:1: crate::b::f\
          \n      src/b.rs:3: super::d::h\
          \n      src/d.rs:1: crate::a::g"]
    );
}

#[test]
fn the_shortest_circle_is_shown() {
    let found = findings(
        &[
            ("lib.rs", "mod a; mod b; mod d;"),
            ("a.rs", "use crate::b::F; pub struct G(F);"),
            ("b.rs", "use crate::d::H; pub struct F(H);"),
            ("d.rs", "use crate::a::G; use crate::b::F; pub struct H(Box<(F, G)>);"),
        ],
        &[],
    );
    let [found] = &found[..] else { panic!("{found:?}") };
    let first = found.lines().next().unwrap();
    assert_eq!(first, "3 files import each other: src/b.rs → src/d.rs → src/b.rs");
}

#[test]
fn neither_declaring_nor_naming_a_module_nor_tests_are_imports() {
    let found = findings(
        &[
            ("lib.rs", "pub mod a; use a::b; pub struct S; pub fn f() -> b::T { loop {} }"),
            ("a/mod.rs", "pub mod b; pub mod d;"),
            ("a/b.rs", "use super::d; pub struct T; #[cfg(test)] mod tests { use crate::S; }"),
            ("a/d.rs", "use crate::a; #[cfg(test)] use super::b::T; pub struct U;"),
        ],
        &[],
    );
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_re_export_leads_to_what_defines_it() {
    let lib = ("lib.rs", "mod a;");
    let folder = ("a/mod.rs", "mod b; mod d; pub use b::B; pub use d::*; pub struct Base;");
    let b = ("a/b.rs", "use super::{Base, D}; pub struct B(D, Base);");
    // Siblings by way of their parent, which only shows what they define.
    assert_eq!(findings(&[lib, folder, b, ("a/d.rs", "pub struct D;")], &[]), [""; 0]);
    // The same, where what they define is a circle.
    let found = findings(&[lib, folder, b, ("a/d.rs", "use super::B; pub struct D(Box<B>);")], &[]);
    let [found] = &found[..] else { panic!("{found:?}") };
    assert!(found.contains("src/a/b.rs → src/a/d.rs → src/a/b.rs"), "{found}");
    // The parent uses what it shows.
    let uses =
        ("a/mod.rs", "mod b; mod d; pub use b::B; pub use d::*; pub struct Base; fn f(_: B) {}");
    let found = findings(&[lib, uses, b, ("a/d.rs", "pub struct D;")], &[]);
    let [found] = &found[..] else { panic!("{found:?}") };
    assert!(found.contains("src/a/mod.rs → src/a/b.rs → src/a/mod.rs"), "{found}");
}

#[test]
fn of_a_function_and_a_module_of_one_name_the_one_that_is_meant_is_found() {
    let found = findings(
        &[
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "pub mod f; pub fn f() { crate::b::g() }"),
            ("a/f.rs", "pub struct X;"),
            ("b.rs", "use crate::a::f; pub fn g() -> f::X { loop {} }"),
        ],
        &[],
    );
    let [found] = &found[..] else { panic!("{found:?}") };
    assert!(found.contains("src/a/mod.rs → src/b.rs → src/a/mod.rs"), "{found}");
    let found = findings(
        &[
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "pub mod f; pub fn f() { crate::b::g() }"),
            ("a/f.rs", "pub struct X;"),
            ("b.rs", "pub fn g() -> crate::a::f::X { loop {} }"),
        ],
        &[],
    );
    assert_eq!(found, [""; 0]);
}

const LAYERS: &[Layer] = &[
    Layer { name: "data", files: &["src/data"] },
    Layer { name: "work", files: &["src/work", "src/data/late"] },
    Layer { name: "root", files: &["src/lib"] },
];

#[test]
fn imports_and_calls_that_go_up_are_found() {
    let files = [
        ("lib.rs", "mod data; mod work;"),
        (
            "data/mod.rs",
            "pub mod late; use crate::work::f; pub struct S { pub t: T } pub struct T;\nimpl S {\n fn a(&self) { self.b(1); f() }\n}\nfn g(s: &S) { assert!(s.t.d()); }",
        ),
        ("data/late.rs", ""),
        (
            "work.rs",
            "use crate::data::{S, T}; pub fn f() {} impl S { pub fn b(&self, _: i32) {} }\nimpl T { pub fn d(&self) -> bool { true } }",
        ),
    ];
    let found = findings(&files, LAYERS);
    assert!(found.first().is_some_and(|f| f.contains("files import each other")), "{found:?}");
    assert_eq!(
        found.get(1..).unwrap(),
        [
            "c/src/data/mod.rs:3: data calls S::b of work, which stands above it (src/work.rs)",
            "c/src/data/mod.rs:5: data calls T::d of work, which stands above it (src/work.rs)",
            "c/src/data/mod.rs:1: data imports crate::work::f of work, which stands above it (src/work.rs)",
        ]
    );
}

#[test]
fn methods_above_do_not_make_a_circle() {
    let files = [
        ("lib.rs", "mod data; mod work;"),
        ("data/mod.rs", "mod late; pub struct S;"),
        ("data/late.rs", "use super::S; impl S { pub fn a(&self) { self.b() } }"),
        ("work.rs", "use crate::data::S; impl S { pub fn b(&self) { self.a() } }"),
    ];
    assert_eq!(findings(&files, LAYERS), [""; 0]);
}

#[test]
fn every_file_is_in_a_layer_and_every_entry_is_there() {
    let files = [("lib.rs", "mod data; mod other;"), ("data.rs", ""), ("other.rs", "")];
    assert_eq!(
        findings(&files, LAYERS),
        [
            "c/src/other.rs is in no layer of tools/xtask/src/tidy/layers.rs",
            "tools/xtask/src/tidy/layers.rs: there is no c/src/work",
            "tools/xtask/src/tidy/layers.rs: there is no c/src/data/late",
        ]
    );
}
