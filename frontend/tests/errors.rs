//! The pages of diagnostics: that each diagnostic has one, and that what they say is true.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db};
use futc_frontend::diag::{Code, Diagnostic, Severity, render_plain};
use futc_frontend::explain::{Example, page, pages, similar};
use futc_frontend::lint::{WARNINGS, all_diagnostics};
use futc_frontend::world::Memory;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Pages without programs: these diagnostics need programs that no page has room for. Tests of the
/// lexer, of the parser, of the checker and of AUTOMAP provoke them.
const WITHOUT_PROGRAMS: &[&str] = &[
    "automap-too-large",
    "file-too-large",
    "internal-error",
    "match-too-large",
    "nesting-too-deep",
    "too-many-constructors",
];

/// Warnings that the front end does not give, but the compiler when it has optimised the program.
const AFTER_OPTIMISING: &[&str] = &["loop-not-unrolled", "run-time-check", "schedule-refused"];

/// The entries of the User's Guide's Compiler Error Index, and of today's Futhark's.
const INDEX: &[&str] = &[
    "use-after-consume",
    "not-consumable",
    "return-aliased",
    "unique-return-aliased",
    "self-aliasing-arg",
    "consuming-argument",
    "alias-free-variable",
    "size-expression-bind",
    "inaccessible-size",
    "consuming-loop-param-aliases",
    "loop-parameter-aliases-other",
    "aliases-previously-returned",
    "contains-consumption",
    "unused-size",
    "causality-check",
    "unknown-param-def",
    "existential-param-ret",
    "unused-existential",
    "anonymous-nonconstructive",
    "unify-consuming-param",
    "ambiguous-size",
    "loop-variant-escape",
    "module-is-parametric",
    "scope-violation",
    "literal-out-of-bounds",
    "ambiguous-type",
    "may-not-be-redefined",
    "unmatched-cases",
    "refutable-pattern",
    "record-type-not-known",
    "occurs-check",
    "nested-entry",
    "polymorphic-entry",
    "higher-order-entry",
    "size-polymorphic-entry",
    "nonconstructive-entry",
];

fn is_code(word: &str) -> bool {
    word.contains('-')
        && word.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// The codes that the sources mention outside of their table; tests are left out.
fn codes_in_sources() -> BTreeSet<String> {
    fn walk(dir: &Path, f: &mut impl FnMut(&Path, &str)) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, f);
            } else if path.extension().is_some_and(|e| e == "rs") {
                f(&path, &std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut found = BTreeSet::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    for dir in [sources.join("src"), sources.join("../tools/futc/src")] {
        walk(&dir, &mut |path, text| {
            if path.ends_with("diag/code.rs") || path.ends_with("lint/mod.rs") {
                return;
            }
            let text = text.split("#[cfg(test)]").next().unwrap_or(text);
            for (i, _) in text.match_indices("Code::") {
                let rest = text.get(i + "Code::".len()..).unwrap_or("");
                found.extend(rest.split(|c: char| !c.is_alphanumeric()).next().map(str::to_owned));
            }
        });
    }
    found
}

/// What is said about an example.
fn check(example: &Example) -> (Vec<Diagnostic>, String) {
    let world = example.files.iter().fold(Memory::new(), |w, (name, text)| w.with(name, text));
    let db = CompilerDb::new(Arc::new(world.with("main.fut", &example.text)));
    let said = all_diagnostics(&db, db.source("main.fut"));
    let shown = render_plain(&said, &db.sources());
    (said, shown)
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let without_page: Vec<_> = Code::ALL.iter().filter(|c| page(c.name()).is_none()).collect();
    assert!(without_page.is_empty(), "write frontend/errors/NAME.md: {without_page:#?}");
    let unknown = |code: &str| Code::ALL.iter().all(|c| c.name() != code);
    let without_code: Vec<_> = pages().iter().map(|p| p.code).filter(|c| unknown(c)).collect();
    assert!(without_code.is_empty(), "these are no codes: {without_code:#?}");
    let used = codes_in_sources();
    let unused: Vec<_> = Code::ALL.iter().filter(|c| !used.contains(&format!("{c:?}"))).collect();
    assert!(unused.is_empty(), "nothing emits these: {unused:#?}");
}

#[test]
fn programs_on_pages_do_what_the_page_says() {
    let work = || {
        let mut wrong = Vec::new();
        for page in pages() {
            for example in page.examples() {
                let (said, shown) = check(&example);
                let of_page: Vec<_> = said.iter().filter(|d| d.code.name() == page.code).collect();
                let severity = match WARNINGS.iter().any(|w| w.name() == page.code) {
                    true => Severity::Warning,
                    false => Severity::Error,
                };
                let failed = if example.wrong && AFTER_OPTIMISING.contains(&page.code) {
                    // `tools/futc/tests/pages.rs` compiles them.
                    said.iter().any(|d| d.severity == Severity::Error)
                } else if example.wrong {
                    of_page.is_empty()
                        || of_page.iter().any(|d| d.message.is_empty() || d.severity != severity)
                } else {
                    !of_page.is_empty() || said.iter().any(|d| d.severity == Severity::Error)
                };
                if failed {
                    let kind = if example.wrong { "Wrong" } else { "Right" };
                    wrong.push(format!("{}, {kind}:\n{}{shown}", page.code, example.text));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn pages_have_a_title_prose_and_pairs_of_programs() {
    for page in pages() {
        let code = page.code;
        assert!(is_code(code), "{code}: not words joined by hyphens");
        assert!(page.text.starts_with("# ") && !page.title().is_empty(), "{code}: no title");
        assert!(page.title().len() < 90, "{code}: the title is long");
        let prose = page.text.split("\n## ").next().unwrap();
        assert!(prose.split_whitespace().count() > 20, "{code}: no prose");
        let examples = page.examples();
        if WITHOUT_PROGRAMS.contains(&code) {
            assert!(examples.is_empty(), "{code}: has programs");
            continue;
        }
        assert!(!examples.is_empty(), "{code}: no programs");
        for (i, example) in examples.iter().enumerate() {
            assert_eq!(example.wrong, i % 2 == 0, "{code}: wrong and right programs in turn");
        }
        assert!(examples.len().is_multiple_of(2), "{code}: a wrong program without a right one");
    }
}

#[test]
fn the_error_index_is_covered() {
    let missing: Vec<_> = INDEX.iter().filter(|c| page(c).is_none()).collect();
    assert!(missing.is_empty(), "write frontend/errors/CODE.md: {missing:#?}");
}

#[test]
fn names_that_are_mistyped_are_found() {
    assert_eq!(similar("type-mismach"), Some("type-mismatch"));
    assert_eq!(similar("nothing-like-any-of-them"), None);
    assert_eq!(page("type-mismatch").unwrap().code, "type-mismatch");
}
