//! Functions as arguments written in another way.

use super::edit::{Change, Edit, Piece, new};
use super::nodes::{place, walk_exps};
use super::source::{Source, is_flat};
use futc_frontend::syntax::ast::{Exp, ExpKind, Pat, TypeExp, TypeExpKind};
use futc_frontend::syntax::parser::parse_type;
use futc_typed::span::FileId;

/// `\x -> e` with a scalar `c` in `e` becomes `let f (c: t) (x: u) = e in f c`; without one `f` has a parameter that it does
/// not use.
pub fn applications(source: &Source) -> Vec<Change> {
    let mut out = Vec::new();
    for def in source.definitions() {
        walk_exps(&def.value.body, &mut |e| {
            if let ExpKind::Lambda { params, ret, body } = &e.kind {
                out.extend(application(source, e, (params, ret.as_ref(), body), out.len()));
            }
            true
        });
    }
    out
}

fn application(
    source: &Source,
    whole: &Exp,
    (params, ret, body): (&[Pat], Option<&TypeExp>, &Exp),
    number: usize,
) -> Option<Change> {
    let at = place(whole.span);
    let flat = |t: &&str| is_flat(t);
    let mut free = source.free(&[place(body.span)], at).into_iter();
    let captured = free.find_map(|v| Some((v.name, v.ty.as_deref().filter(flat)?.to_owned())));
    let (more, argument) = match captured {
        Some((name, ty)) => (format!("({name}: {ty})"), name),
        None => ("(_: i32)".to_owned(), "0"),
    };
    let name = format!("refactored_partial_{number}");
    let mut head = format!("let {name} {more}");
    for p in params {
        let text = source.at(place(p.span));
        head += &format!(" ({text}: {})", source.type_of_pat(p)?);
    }
    if let Some(t) = ret {
        head += &format!(" : {}", source.at(place(t.span)));
    }
    let with = vec![
        new(format!("{head} = ")),
        Piece::Old(place(body.span)),
        new(format!(" in {name} {argument}")),
    ];
    Some(Change::one(at, with))
}

/// `f` becomes `\x -> f x` where it is an argument, of as many parameters as it has.
pub fn expansions(source: &Source) -> Vec<Change> {
    let mut out = Vec::new();
    for def in source.definitions() {
        walk_exps(&def.value.body, &mut |e| {
            if let ExpKind::Apply(_, arg) = &e.kind
                && let ExpKind::Var(_) = &arg.kind
                && let Some(count) = source.type_of(arg).and_then(parameters)
            {
                let at = place(arg.span);
                let names: String = (0..count).map(|i| format!(" argument_{i}")).collect();
                let with =
                    vec![new(format!("(\\{names} -> ")), Piece::Copy(at), new(format!("{names})"))];
                out.push(Change { edits: vec![Edit { at, with }], original: Vec::new() });
            }
            true
        });
    }
    out
}

/// How many parameters a function of a type has, if it consumes none.
fn parameters(ty: &str) -> Option<usize> {
    let (ty, wrong) = parse_type(FileId(0), ty);
    if !wrong.is_empty() {
        return None;
    }
    let (mut ty, mut count) = (&ty, 0);
    while let TypeExpKind::Arrow(_, param, ret) = &ty.kind {
        if matches!(param.kind, TypeExpKind::Unique(_)) {
            return None;
        }
        count += 1;
        ty = &**ret;
    }
    (count > 0).then_some(count)
}
