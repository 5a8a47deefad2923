//! Tuples become records.
//!
//! Where a `let` or a loop takes apart what is put together before its eyes, fields have the names of variables, so that they
//! come in another order; elsewhere they are numbers, which is what a tuple is.

use super::edit::{Change, Edit, Piece, new};
use super::nodes::{Node, Place, place, walk};
use super::source::Source;
use futc_frontend::syntax::ast::{Exp, ExpKind, Pat, PatKind, Span, TypeExpKind};
use std::collections::HashSet;

/// A tuple: where it stands, and its parts.
type Tuple = (Place, Vec<Place>);

/// A record for each tuple, but for the types of parameters and results of entry points.
pub fn changes(source: &Source) -> Vec<Change> {
    let mut out = Vec::new();
    let mut done: HashSet<Place> = HashSet::new();
    let mut tuples: Vec<(Tuple, &str)> = Vec::new();
    for def in source.definitions() {
        let v = def.value;
        if !v.entry {
            let params = v.params.iter().map(Node::Pat);
            for node in params.chain(v.ret.iter().map(Node::Type)) {
                walk(node, &mut |n| {
                    tuples.extend(tuple(n));
                    true
                });
            }
        }
        walk(Node::Exp(&v.body), &mut |node| {
            tuples.extend(tuple(node));
            if let Node::Exp(e) = node {
                if let ExpKind::Let { pat, rhs, .. } = &e.kind
                    && let Some((names, group)) = group(pat, rhs)
                    && group.iter().all(|t| !done.contains(&t.0))
                {
                    done.extend(group.iter().map(|t| t.0));
                    out.push(named(&names, &group));
                }
                if let ExpKind::Loop(l) = &e.kind
                    && let Some((names, group)) = group(&l.pat, e)
                    && group.iter().all(|t| !done.contains(&t.0))
                {
                    done.extend(group.iter().map(|t| t.0));
                    out.push(taken_apart(place(e.span), named(&names, &group), &names));
                }
            }
            true
        });
    }
    tuples.retain(|(t, _)| !done.contains(&t.0));
    out.extend(tuples.into_iter().map(|(t, sign)| {
        let names: Vec<String> = (0..t.1.len()).map(|i| i.to_string()).collect();
        Change { edits: vec![record(&t, &names, sign)], original: Vec::new() }
    }));
    out
}

fn places<'s>(spans: impl Iterator<Item = &'s Span>) -> Vec<Place> {
    spans.map(|s| place(*s)).collect()
}

/// A node that is a tuple of at least two parts, and what stands between the names of fields and these.
fn tuple(node: Node<'_>) -> Option<(Tuple, &'static str)> {
    let (span, parts, sign) = match node {
        Node::Exp(Exp { kind: ExpKind::Tuple(es), span }) => {
            (span, places(es.iter().map(|e| &e.span)), " = ")
        }
        Node::Pat(Pat { kind: PatKind::Tuple(ps), span }) => {
            (span, places(ps.iter().map(|p| &p.span)), " = ")
        }
        Node::Type(t) => match &t.kind {
            TypeExpKind::Tuple(ts) => (&t.span, places(ts.iter().map(|t| &t.span)), ": "),
            _ => return None,
        },
        _ => return None,
    };
    (parts.len() > 1).then(|| ((place(*span), parts), sign))
}

/// The record of a tuple.
fn record((at, parts): &Tuple, names: &[String], sign: &str) -> Edit {
    let mut with = Vec::new();
    for (i, (name, part)) in names.iter().zip(parts).enumerate() {
        let before = if i == 0 { "{" } else { ", " };
        with.extend([new(format!("{before}{name}{sign}")), Piece::Old(*part)]);
    }
    with.push(new("}"));
    Edit { at: *at, with }
}

fn named(names: &[String], group: &[Tuple]) -> Change {
    let edits = group.iter().map(|t| record(t, names, " = ")).collect();
    Change { edits, original: Vec::new() }
}

/// A loop that yields a record where a tuple is wanted.
fn taken_apart(at: Place, mut change: Change, names: &[String]) -> Change {
    let parts: Vec<String> = (0..names.len()).map(|i| format!("part_{i}")).collect();
    let fields: Vec<String> = names.iter().zip(&parts).map(|(n, p)| format!("{n} = {p}")).collect();
    let with = vec![
        new(format!("(let {{{}}} = ", fields.join(", "))),
        Piece::Old(at),
        new(format!(" in ({}))", parts.join(", "))),
    ];
    change.edits.insert(0, Edit { at, with });
    change
}

/// The tuples that meet at a pattern: its own, and those that the expression yields; with names of fields.
fn group(pat: &Pat, exp: &Exp) -> Option<(Vec<String>, Vec<Tuple>)> {
    let mut group = Vec::new();
    let names = names(pat, &mut group)?;
    yields(exp, names.len(), &mut group)?;
    // A loop is looked at for its own pattern, too.
    let mut seen = HashSet::new();
    group.retain(|t| seen.insert(t.0));
    Some((names, group))
}

/// The names of the variables of a tuple, if they can be those of fields; else names of their own.
fn names(pat: &Pat, group: &mut Vec<Tuple>) -> Option<Vec<String>> {
    let PatKind::Tuple(ps) = &pat.kind else {
        return match &pat.kind {
            PatKind::Parens(p) => names(p, group),
            _ => None,
        };
    };
    group.extend(tuple(Node::Pat(pat)).map(|t| t.0));
    let mut names: Vec<String> = Vec::new();
    for (i, p) in ps.iter().enumerate() {
        let mut p = p;
        while let PatKind::Ascript(inner, _) | PatKind::Parens(inner) = &p.kind {
            p = inner;
        }
        let name = match &p.kind {
            PatKind::Var(name) => name.name.as_str(),
            _ => "",
        };
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let new = plain && names.iter().all(|n| n != name);
        names.push(if new { name.to_owned() } else { format!("field_{i}") });
    }
    Some(names)
}

/// Notes the tuples that an expression yields; nothing if it may yield one that is made elsewhere.
fn yields(exp: &Exp, count: usize, group: &mut Vec<Tuple>) -> Option<()> {
    match &exp.kind {
        ExpKind::Tuple(es) if es.len() == count => {
            group.extend(tuple(Node::Exp(exp)).map(|t| t.0));
            Some(())
        }
        ExpKind::Parens(e) | ExpKind::Attr(_, e) | ExpKind::Assert(_, e) => yields(e, count, group),
        ExpKind::Let { body, .. }
        | ExpKind::LetFun { body, .. }
        | ExpKind::LetWith { body, .. } => yields(body, count, group),
        ExpKind::If(_, a, b) => {
            yields(a, count, group)?;
            yields(b, count, group)
        }
        ExpKind::Match(_, cases) => cases.iter().try_for_each(|c| yields(&c.body, count, group)),
        ExpKind::Loop(l) => {
            (names(&l.pat, group)?.len() == count).then_some(())?;
            yields(l.init.as_ref()?, count, group)?;
            yields(&l.body, count, group)
        }
        _ => None,
    }
}
