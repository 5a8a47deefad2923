//! Definitions become parts of modules.

use super::edit::{Change, Edit, Piece, new};
use super::nodes::{Place, place, walk_exps};
use super::source::Source;
use futc_frontend::syntax::ast::{DecKind, ExpKind, Literal};

/// The declarations before the first entry point, but for imports at the head; nothing if there are none.
fn declarations(source: &Source) -> Option<Place> {
    let decs = &source.tree.decs;
    let is_entry = |kind: &DecKind| matches!(kind, DecKind::Val(v) if v.entry);
    let is_import = |kind: &DecKind| matches!(kind, DecKind::Import(_));
    let first = decs.iter().position(|d| !is_import(&d.kind))?;
    let entry = decs.iter().position(|d| is_entry(&d.kind))?;
    let last = decs.get(first..entry)?.last()?;
    let start = match first.checked_sub(1).and_then(|i| decs.get(i)) {
        Some(import) => import.span.end,
        None => source.start(),
    };
    Some((start, last.span.end))
}

/// What is before the entry points becomes a module that is opened.
pub fn opened(source: &Source) -> Vec<Change> {
    let Some(at) = declarations(source) else { return Vec::new() };
    let end = new("\n}\nopen refactored\n");
    vec![Change::one(at, vec![new("\nmodule refactored = {\n"), Piece::Old(at), end])]
}

/// What is before the entry points becomes a parametric module, whose parameter has the literals of floats in it.
pub fn parametric(source: &Source) -> Vec<Change> {
    let Some(at) = declarations(source) else { return Vec::new() };
    let (mut edits, mut specs, mut values) = (Vec::new(), String::new(), String::new());
    for def in source.definitions() {
        let body = &def.value.body;
        if body.span.start >= at.1 {
            continue;
        }
        walk_exps(body, &mut |e| {
            if let ExpKind::Lit(Literal::Float { .. } | Literal::Int { .. }) = e.kind
                && let Some(ty @ ("f16" | "f32" | "f64")) = source.type_of(e)
            {
                let name = format!("literal_{}", edits.len());
                let text = source.at(place(e.span));
                specs += &format!("  val {name} : {ty}\n");
                values += &format!("  def {name} : {ty} = {text}\n");
                let with = vec![new(format!("refactored_literals.{name}"))];
                edits.push(Edit { at: place(e.span), with });
            }
            true
        });
    }
    if edits.is_empty() {
        return Vec::new();
    }
    let head = format!("\nmodule refactored (refactored_literals: {{\n{specs}}}) = {{\n");
    let end = format!("\n}}\nopen refactored {{\n{values}}}\n");
    edits.push(Edit { at, with: vec![new(head), Piece::Old(at), new(end)] });
    vec![Change { edits, original: Vec::new() }]
}
