//! Scalar expressions become functions of what they use, with another call in an entry point of its own.
//!
//! The program that is compared has the entry point, too, with the expression written out.

use super::edit::{Change, Edit, Piece, new};
use super::nodes::{place, walk_exps};
use super::source::{Source, arguments, is_flat, params};
use futc_frontend::syntax::ast::{Exp, ExpKind};

/// So many operators make an expression worth a function.
const OPERATORS: usize = 3;
/// More parameters nobody would write.
const PARAMETERS: usize = 10;

/// A function for each of the largest scalar expressions of definitions; that of a whole definition is one already.
pub fn changes(source: &Source) -> Vec<Change> {
    let mut out = Vec::new();
    let end = source.text.len() as u32;
    for def in source.definitions() {
        if def.around.parametric {
            continue;
        }
        let whole = place(def.value.body.span);
        walk_exps(&def.value.body, &mut |e| {
            // The names in there are those of a module, which must not be hidden by parameters.
            if matches!(e.kind, ExpKind::QualParens(..)) {
                return false;
            }
            if place(e.span) == whole || operators(e) < OPERATORS {
                return true;
            }
            let Some(ty) = source.type_of(e).filter(|t| is_flat(t)) else { return true };
            let free = source.free(&[place(e.span)], place(e.span));
            let Some(params) = params(&free, false) else { return true };
            if free.is_empty() || free.len() > PARAMETERS {
                return true;
            }
            let name = format!("refactored_function_{}", out.len());
            let entry = format!("refactored_entry_{}", out.len());
            let args = arguments(&free);
            let at = place(e.span);
            let before = source.before(e);
            let path: String = def.around.modules.iter().map(|m| format!("{m}.")).collect();
            let inserted = |at, with| Edit { at: (at, at), with };
            let body = [Piece::Copy(at), new("\n")];
            let mut function = vec![new(format!("\ndef {name}{params} : {ty} =\n  "))];
            function.extend(body);
            let head = format!("\nentry {entry}{params} : {ty} = {path}");
            let original = vec![new(format!("{head}(")), Piece::Copy(at), new(")\n")];
            out.push(Change {
                edits: vec![
                    inserted(def.before, function),
                    Edit { at, with: vec![new(format!("{before}({name}{args})"))] },
                    inserted(end, vec![new(format!("{head}{name}{args}\n"))]),
                ],
                original: vec![inserted(end, original)],
            });
            false
        });
    }
    out
}

/// The operators, applications and branches in an expression.
fn operators(exp: &Exp) -> usize {
    let mut count = 0;
    walk_exps(exp, &mut |e| {
        count += usize::from(matches!(
            e.kind,
            ExpKind::BinOp { .. }
                | ExpKind::Negate(_)
                | ExpKind::Not(_)
                | ExpKind::Apply(..)
                | ExpKind::If(..)
        ));
        true
    });
    count
}
