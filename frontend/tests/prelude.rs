//! The prelude parses, has every name that programs may use with the signature they rely on, and
//! says of each what it does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails so")]

use futc_frontend::syntax::ast::{
    Dec, DecKind, File, ModExpKind, ModTypeExpKind, SpecKind, TypeExpKind, ValBind,
};
use futc_frontend::syntax::parser::parse_file;
use futc_frontend::syntax::print_ast;
use futc_frontend::world::PRELUDE;
use futc_typed::span::FileId;
use std::collections::{BTreeMap, BTreeSet};

fn parse(name: &str, text: &str) -> File {
    let (file, diagnostics) = parse_file(FileId(0), text);
    assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    file
}

/// All declarations of the prelude that programs see.
fn prelude() -> Vec<Dec> {
    let decs = PRELUDE.iter().flat_map(|(name, text)| parse(name, text).decs);
    decs.filter(|dec| !matches!(dec.kind, DecKind::Local(_))).collect()
}

fn facts() -> Vec<Dec> {
    parse("prelude_signatures.fut", include_str!("prelude_signatures.fut")).decs
}

fn values<'a>(decs: &'a [Dec]) -> BTreeMap<&'static str, (&'a ValBind, &'a Dec)> {
    let bind = |dec: &'a Dec| match dec {
        Dec { kind: DecKind::Val(bind), .. } => Some((bind.name.name.as_str(), (bind, dec))),
        _ => None,
    };
    decs.iter().filter_map(bind).collect()
}

/// A definition without its body, in one line. `result` is left out on request.
fn signature(bind: &ValBind, result: bool) -> String {
    let mut bind = bind.clone();
    bind.body.kind = futc_frontend::syntax::ast::ExpKind::Hole;
    bind.ret = bind.ret.filter(|_| result);
    let span = bind.name.span;
    let dec = Dec { kind: DecKind::Val(bind), doc: None, attrs: Vec::new(), span };
    print_ast(&File { doc: None, decs: vec![dec] })
}

#[test]
fn every_definition_has_its_signature_and_a_comment() {
    let (prelude, facts) = (prelude(), facts());
    let have = values(&prelude);
    for (name, (fact, _)) in values(&facts) {
        let Some((bind, dec)) = have.get(name) else { panic!("`{name}` is missing") };
        let result = fact.ret.is_some();
        assert_eq!(signature(fact, result), signature(bind, result), "`{name}`");
        assert!(bind.ret.is_some(), "`{name}` does not say what it returns");
        assert!(dec.doc.is_some(), "`{name}` has no comment");
    }
    assert_eq!(have.len(), values(&facts).len(), "names that no program knows");
}

/// The specifications of each module type, printed; `include` stays as it is.
fn module_types(decs: &[Dec]) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for dec in decs {
        let DecKind::ModType(bind) = &dec.kind else { continue };
        let ModTypeExpKind::Specs(specs) = &bind.ty.kind else { continue };
        let mut printed = BTreeSet::new();
        for spec in specs {
            let mut dec = dec.clone();
            let DecKind::ModType(bind) = &mut dec.kind else { continue };
            let mut spec = spec.clone();
            (spec.doc, dec.doc) = (None, None);
            bind.ty.kind = ModTypeExpKind::Specs(vec![spec]);
            printed.insert(print_ast(&File { doc: None, decs: vec![dec] }));
        }
        found.insert(bind.name.name.as_str(), printed);
    }
    found
}

#[test]
fn module_types_have_what_programs_ask_for() {
    assert_eq!(module_types(&prelude()), module_types(&facts()));
}

/// The names of all values of a module type, those it includes too.
fn value_names(decs: &[Dec], wanted: &str, names: &mut BTreeSet<&'static str>) {
    for dec in decs {
        let DecKind::ModType(bind) = &dec.kind else { continue };
        let ModTypeExpKind::Specs(specs) = &bind.ty.kind else { continue };
        if bind.name.name.as_str() != wanted {
            continue;
        }
        for spec in specs {
            match &spec.kind {
                SpecKind::Val { name, .. } => drop(names.insert(name.name.as_str())),
                SpecKind::Include(included) => match &included.kind {
                    ModTypeExpKind::Var(name) => value_names(decs, name.name.name.as_str(), names),
                    other => panic!("{other:?}"),
                },
                SpecKind::TypeAbbr(_) | SpecKind::Type { .. } | SpecKind::Mod(..) => {}
            }
        }
    }
}

/// The names of a module type behind parentheses and `with`.
fn base(ty: &ModTypeExpKind) -> &'static str {
    match ty {
        ModTypeExpKind::Var(name) => name.name.name.as_str(),
        ModTypeExpKind::Parens(inner) | ModTypeExpKind::With(inner, _) => base(&inner.kind),
        other => panic!("{other:?}"),
    }
}

#[test]
fn modules_define_what_their_types_promise() {
    let (prelude, facts) = (prelude(), facts());
    let modules = |decs: &[Dec]| {
        let mut found = BTreeMap::new();
        for dec in decs {
            if let DecKind::Mod(bind) = &dec.kind {
                let ty = bind.ascription.as_ref().expect("a module type");
                found.insert(bind.name.name.as_str(), (base(&ty.kind), bind.body.clone()));
            }
        }
        found
    };
    let have = modules(&prelude);
    let wanted = modules(&facts);
    assert_eq!(have.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (name, (ty, body)) in have {
        assert_eq!(ty, wanted[name].0);
        let ModExpKind::Decs(decs) = &body.kind else { panic!("{name}") };
        let mut promised = BTreeSet::new();
        value_names(&prelude, ty, &mut promised);
        let defined: BTreeSet<_> = values(decs).into_keys().collect();
        assert_eq!(defined, promised, "{name}");
    }
}

/// What the prelude takes from the intrinsics is there.
#[test]
fn intrinsics_that_are_used_exist() {
    use futc_typed::intrinsics::{ARRAYS, FLOAT_SCALARS, OPERATORS, SCALARS, conversion};
    use futc_typed::prim::PrimType;
    let mut known: BTreeSet<String> = BTreeSet::new();
    known.extend(ARRAYS.iter().map(|(name, _)| (*name).to_owned()));
    known.extend(OPERATORS.iter().map(|(name, ..)| (*name).to_owned()));
    for t in PrimType::ALL {
        known.extend(PrimType::ALL.map(|from| conversion(from, t)));
        let scalars = SCALARS.iter().filter(|(_, over, _)| over.has(t));
        known.extend(scalars.map(|(name, ..)| format!("{t}_{name}")));
        if t.is_float() {
            known.extend(FLOAT_SCALARS.iter().map(|(name, _)| format!("{t}_{name}")));
        }
    }
    let end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '[');
    for (file, text) in PRELUDE {
        for used in text.split("intrinsics.").skip(1) {
            let used = used.split(end).next().unwrap_or("");
            assert!(known.contains(used), "{file}: {used}");
        }
    }
}

#[test]
fn no_result_is_left_to_inference_in_modules() {
    for dec in prelude() {
        let DecKind::Mod(bind) = &dec.kind else { continue };
        let ModExpKind::Decs(decs) = &bind.body.kind else { continue };
        for (name, (bind, _)) in values(decs) {
            assert!(
                bind.ret.as_ref().is_some_and(|t| !matches!(t.kind, TypeExpKind::Error)),
                "{name}"
            );
        }
    }
}
