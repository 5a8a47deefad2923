//! Loops over scalars become top-level functions that call themselves.

use super::edit::{Change, Edit, Piece, new};
use super::nodes::{Definition, place, walk_exps};
use super::source::{Source, arguments, is_scalar, scalar_params};
use futc_frontend::syntax::ast::{Exp, ExpKind, Loop, LoopForm, Pat, PatKind};

/// A function for each loop with `for i < n` or `while` whose parameter and free variables are scalars.
pub fn changes(source: &Source) -> Vec<Change> {
    let mut out = Vec::new();
    for def in source.definitions().iter().filter(|d| !d.around.parametric) {
        let mut loops = Vec::new();
        walk_exps(&def.value.body, &mut |e| {
            if let ExpKind::Loop(l) = &e.kind {
                loops.push((e, &**l));
            }
            !matches!(e.kind, ExpKind::QualParens(..))
        });
        // Functions of inner loops come before those that call them.
        for (whole, l) in loops.into_iter().rev() {
            out.extend(function(source, def, whole, l, out.len()));
        }
    }
    out
}

/// The function of a loop, and its call.
fn function(
    source: &Source,
    def: &Definition<'_>,
    whole: &Exp,
    l: &Loop,
    number: usize,
) -> Option<Change> {
    let old = |e: &Exp| Piece::Old(place(e.span));
    let ty = source.type_of(whole).filter(|t| is_scalar(t))?;
    if !l.sizes.is_empty() {
        return None;
    }
    let mut inner = vec![place(l.body.span)];
    if let LoopForm::While(condition) = &l.form {
        inner.push(place(condition.span));
    }
    let free = source.free(&inner, place(whole.span));
    let params = scalar_params(&free)?;
    let args = arguments(&free);
    let name = format!("refactored_loop_{number}");
    let head = format!("\ndef {name}{params}");
    let pat = source.at(place(l.pat.span));
    let init = match &l.init {
        Some(init) => old(init),
        None => is_expression(&l.pat).then(|| new(pat))?,
    };
    let (function, call) = match &l.form {
        LoopForm::While(condition) => (
            vec![
                new(format!("{head} (state: {ty}) : {ty} =\n  let {pat} = state\n  in if ")),
                old(condition),
                new(format!("\n  then {name}{args} (")),
                old(&l.body),
                new(")\n  else state\n"),
            ],
            vec![new(format!("({name}{args} (")), init, new("))")],
        ),
        LoopForm::For(counter, bound) => {
            let (i, t) = (counter.name, source.type_of_variable(place(counter.span))?);
            let head = format!("{head} (bound: {t}) ({i}: {t}) (state: {ty}) : {ty} =");
            let next = format!("{name}{args} bound ({i} + 1) (");
            (
                vec![
                    new(format!("{head}\n  if {i} < bound\n  then let {pat} = state in {next}")),
                    old(&l.body),
                    new(")\n  else state\n"),
                ],
                vec![new(format!("({name}{args} (")), old(bound), new(") 0 ("), init, new("))")],
            )
        }
        LoopForm::ForIn(..) => return None,
    };
    Some(Change {
        edits: vec![
            Edit { at: (def.before, def.before), with: function },
            Edit { at: place(whole.span), with: call },
        ],
        original: Vec::new(),
    })
}

/// Whether a pattern is also the expression that it matches.
fn is_expression(pat: &Pat) -> bool {
    match &pat.kind {
        PatKind::Var(_) => true,
        PatKind::Parens(p) => is_expression(p),
        PatKind::Tuple(ps) => ps.iter().all(is_expression),
        _ => false,
    }
}
