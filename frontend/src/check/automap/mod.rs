//! AUTOMAP: applications of any rank, by inserting `map` and `rep`.
//!
//! The language is that of "AUTOMAP: How to do NumPy-style broadcasting in Futhark (but better)"
//! (2024): what is not well typed as it stands is given the meaning of the definition with the
//! fewest maps and reps inserted (Rule 2), never both at one application (Rule 1).
//!
//! The ordinary checker goes first. A definition in which it finds nothing wrong needs nothing
//! inserted, and only ranks that differ bring one here, so that programs without AUTOMAP do not
//! pay for it. Then, in this order:
//!
//! | file | what it does |
//! | --- | --- |
//! | `ranks` | linear expressions over unknown ranks, and equations |
//! | `shapes` | types without sizes, over such ranks |
//! | `constraints` | the walk that gathers the constraints of all applications |
//! | `presolve` | what follows without a solver |
//! | `solve` | the integer programme for the rest, and whether its solution is the only one |
//! | `elaborate` | the definition with maps and reps in it |
//! | `errors` | what is said where that cannot be told |
//!
//! The ordinary checker then sees the elaborated definition, sizes and all, and what comes after
//! it knows nothing of AUTOMAP. If nothing can be inserted that makes the ranks fit, the errors
//! are those of the definition as written.

mod constraints;
mod elaborate;
mod errors;
mod presolve;
mod ranks;
mod shapes;
mod solve;

use crate::check::types::edit::{Edit, apply_edits};
use crate::check::types::elab::Elab;
use crate::check::types::env::Env;
use crate::check::types::own_name::OwnName;
use crate::diag::Diagnostic;
use crate::syntax::ast;
use constraints::{Gathered, Site};
use elaborate::{Elaborator, Insertion};
use errors::AutomapError;
use futc_typed::span::Span;
use presolve::Component;
use solve::{Failure, MAX_SOLUTIONS, MAX_VARIABLES, Values};
use std::collections::HashMap;

/// A definition with what was inserted.
pub(super) struct Elaborated {
    /// The definition.
    pub(super) vb: Box<ast::ValBind>,
    /// What that changes in the source.
    pub(super) edits: Vec<Edit>,
}

/// What AUTOMAP makes of a definition that is not well typed as it stands.
pub(super) enum Outcome {
    /// No insertion mends it.
    Nothing,
    /// The definition with maps and reps; and with names for arrays that are made beside something
    /// repeated, if there are any: their sizes are known once they are made.
    Elaborated {
        /// With nothing but maps and reps.
        as_is: Elaborated,
        /// With names besides.
        named: Option<Elaborated>,
    },
    /// It cannot be decided what to insert.
    Refused(Diagnostic),
}

/// Finds out what to insert in a definition. What is said to `cx` on the way is of no use.
pub(super) fn elaborate(cx: &mut Elab, env: &Env, vb: &ast::ValBind, own: OwnName) -> Outcome {
    let mut gathered = constraints::gather(cx, env, vb, own);
    presolve::propagate(&mut gathered.shapes.ranks, &gathered.applications);
    if gathered.shapes.ranks.contradiction {
        return Outcome::Nothing;
    }
    let hard = presolve::components(&mut gathered.shapes.ranks, &gathered.applications);
    let mut values = Values::new();
    let mut ambiguous: Option<Vec<Values>> = None;
    for component in &hard {
        let mut found = match solve::minimal(component) {
            Ok(found) => found,
            Err(Failure::Infeasible) => return Outcome::Nothing,
            Err(Failure::TooLarge(n)) => {
                return Outcome::Refused(too_large(&gathered, component, n, vb));
            }
        };
        if found.len() > 1 && ambiguous.is_none() {
            ambiguous = Some(found);
        } else if let Some(first) = found.drain(..).next() {
            values.extend(first);
        }
    }
    if let Some(found) = ambiguous {
        let tables: Vec<_> = found
            .into_iter()
            .map(|choice| table(&gathered, &values.iter().chain(&choice).map(copied).collect()))
            .collect();
        return Outcome::Refused(report_ambiguity(cx, &gathered, &tables, vb));
    }
    let table = table(&gathered, &values);
    if table.is_empty() {
        return Outcome::Nothing;
    }
    let as_is = elaborated(cx, &gathered, &table, vb, false);
    let named = elaborated(cx, &gathered, &table, vb, true);
    let named = (named.edits != as_is.edits).then_some(named);
    Outcome::Elaborated { as_is, named }
}

fn copied<K: Copy, V: Copy>((k, v): (&K, &V)) -> (K, V) {
    (*k, *v)
}

type Table = HashMap<Site, Insertion>;

/// What is inserted where.
fn table(gathered: &Gathered, values: &Values) -> Table {
    let ranks = &gathered.shapes.ranks;
    let amount = |rank| solve::value(&ranks.resolve(rank), values);
    gathered
        .applications
        .iter()
        .filter_map(|a| {
            let (maps, reps) = (amount(&a.maps), amount(&a.reps));
            let arity = if maps > 0 { gathered.shapes.arity(&a.fun) } else { 0 };
            (maps > 0 || reps > 0).then_some((a.site, Insertion { maps, reps, arity }))
        })
        .collect()
}

fn elaborated(
    cx: &Elab,
    gathered: &Gathered,
    table: &Table,
    vb: &ast::ValBind,
    named: bool,
) -> Elaborated {
    let mut elaborator = Elaborator {
        table,
        pipes: &gathered.pipes,
        file: vb.name.span.file,
        text: cx.text_of(vb.name.span.file),
        edits: Vec::new(),
        named,
        names: 0,
    };
    let vb = Box::new(elaborator.definition(vb));
    Elaborated { vb, edits: elaborator.edits }
}

/// The applications in which the tables differ, as far out as the changes of the source reach,
/// each in the text of each table.
fn report_ambiguity(
    cx: &Elab,
    gathered: &Gathered,
    tables: &[Table],
    vb: &ast::ValBind,
) -> Diagnostic {
    let edits: Vec<Vec<Edit>> =
        tables.iter().map(|table| elaborated(cx, gathered, table, vb, false).edits).collect();
    let differs = |site| {
        let first = tables.first().and_then(|t| t.get(site));
        tables.iter().any(|t| t.get(site) != first)
    };
    let mut spans: Vec<Span> = Vec::new();
    for a in gathered.applications.iter().filter(|a| differs(&a.site)) {
        let outer = edits.iter().flatten().map(|e| e.span).filter(|s| covers(*s, a.span));
        let span = outer.fold(a.span, |wide, s| if covers(s, wide) { s } else { wide });
        if !spans.iter().any(|s| covers(*s, span)) {
            spans.retain(|s| !covers(span, *s));
            spans.push(span);
        }
    }
    spans.sort_by_key(|s| s.start);
    let at = spans.first().copied().unwrap_or(vb.name.span);
    let text = |edits: &[Edit]| {
        let parts = spans.iter().filter(|s| s.file == vb.name.span.file).map(|span| {
            let inside: Vec<Edit> =
                edits.iter().filter(|e| covers(*span, e.span)).cloned().collect();
            one_line(&apply_edits(cx.text_of(span.file), *span, &inside))
        });
        parts.collect::<Vec<_>>().join("; ")
    };
    AutomapError::Ambiguous {
        shown: text(&[]),
        count: tables.len(),
        at_least: tables.len() == MAX_SOLUTIONS,
        others: spans.iter().skip(1).copied().collect(),
        ways: edits.iter().map(|edits| text(edits)).collect(),
    }
    .at(at)
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn too_large(
    gathered: &Gathered,
    component: &Component,
    variables: usize,
    vb: &ast::ValBind,
) -> Diagnostic {
    let spans = component.open.iter().filter_map(|(i, ..)| gathered.applications.get(*i));
    let span = spans.map(|a| a.span).next().unwrap_or(vb.name.span);
    AutomapError::TooLarge { name: vb.name.name, variables, most: MAX_VARIABLES, application: span }
        .at(vb.name.span)
}

/// Adds to the errors in an elaborated definition what was inserted there.
pub(super) fn explain(cx: &mut Elab, from: usize, edits: &[Edit]) {
    for d in cx.diagnostics.iter_mut().skip(from) {
        let Some((span, _)) = d.labels.first() else { continue };
        if let Some(edit) = edits.iter().find(|e| covers(e.span, *span)) {
            let text = one_line(&edit.text);
            d.hints.push(format!("with the maps and reps inserted that the ranks need: {text}"));
        }
    }
}
