//! Loops whose state has no arrays become top-level functions that call themselves.

use super::edit::{Change, Edit, Piece, new};
use super::nodes::{Definition, Node, place, walk, walk_exps};
use super::source::{Source, arguments, is_flat, params};
use futc_frontend::syntax::ast::{Exp, ExpKind, Loop, LoopForm, Pat, PatKind, RangeKind};

/// A function for each loop with `while`, `for i < n` or `for i in a..<b` whose parameter has no arrays in it and which uses no
/// local functions.
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
    let ty = source.type_of(whole).filter(|t| is_flat(t))?;
    if !l.sizes.is_empty() {
        return None;
    }
    let mut inner = vec![place(l.body.span)];
    if let LoopForm::While(condition) = &l.form {
        inner.push(place(condition.span));
    }
    let mut free = source.free(&inner, place(whole.span));
    // Of `loop x for …` what is bound is the same variable.
    walk(Node::Pat(&l.pat), &mut |node| {
        if let Node::Pat(Pat { kind: PatKind::Var(name), .. }) = node {
            free.retain(|v| v.name != name.name.as_str());
        }
        true
    });
    let params = params(&free, true)?;
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
        LoopForm::For(..) | LoopForm::ForIn(..) => {
            let (counter, start, bound) = counted(&l.form)?;
            // A name that begins so must not be used.
            let i = counter.filter(|i| !i.starts_with('_')).unwrap_or("counter");
            let t = source.type_of(bound)?;
            let head = format!("{head} (bound: {t}) ({i}: {t}) (state: {ty}) : {ty} =");
            let next = format!("{name}{args} bound ({i} + 1) (");
            (
                vec![
                    new(format!("{head}\n  if {i} < bound\n  then let {pat} = state in {next}")),
                    old(&l.body),
                    new(")\n  else state\n"),
                ],
                vec![
                    new(format!("({name}{args} (")),
                    old(bound),
                    new(") ("),
                    start.map_or_else(|| new("0"), old),
                    new(") ("),
                    init,
                    new("))"),
                ],
            )
        }
    };
    Some(Change {
        edits: vec![
            Edit { at: (def.before, def.before), with: function },
            Edit { at: place(whole.span), with: call },
        ],
        original: Vec::new(),
    })
}

/// The counter of a loop, if it has a name, where it starts if not at zero, and what it does not reach.
fn counted(form: &LoopForm) -> Option<(Option<&'static str>, Option<&Exp>, &Exp)> {
    match form {
        LoopForm::For(counter, bound) => Some((Some(counter.name.as_str()), None, bound)),
        LoopForm::ForIn(pat, range) => match (&pat.kind, &range.kind) {
            (
                PatKind::Var(_) | PatKind::Wild,
                ExpKind::Range { start, second: None, kind: RangeKind::UpTo, end },
            ) => {
                let counter = match &pat.kind {
                    PatKind::Var(counter) => Some(counter.name.as_str()),
                    _ => None,
                };
                Some((counter, Some(start), end))
            }
            _ => None,
        },
        LoopForm::While(_) => None,
    }
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
