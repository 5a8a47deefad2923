//! Two versions of an operation: as it was, for a thread that has little to do or no other beside it, and in tasks.
//!
//! ```text
//! let ys = op { … }   →   let ys = if alone { ys₁ = op { … } in ys₁ } else { … tasks … in ys₂ }
//! ```
//!
//! A task reads what it needs from memory and is called by the runtime, some 5 to 10 ns in all. That is much beside an
//! operation of a few hundred elements, of which host loops run millions, and nothing beside one whose points are
//! expensive: those, and long ones, have no version without tasks, nor has what the host comes to once, so that code grows by
//! small bodies in loops only. Of what is reduced as a tree or by many accumulators, the version without tasks is for fewer elements
//! than these are for, and goes by loops: they are much code.

use super::cutter::{Cut, is_dead};
use super::work::Estimate;
use crate::analysis::bodies::size;
use crate::analysis::contraction::accumulation;
use crate::analysis::lanes::SOME;
use crate::analysis::places::Places;
use crate::ir::traverse::{Renamer, Rewrite, any_exp};
use crate::ir::{Body, Const, Exp, PatElem, Schedule, SegKind, SegOp, Stm, StmAttr, SubExp};
use crate::passes::schedule::{TREE, commutes, folds, suits_tree};

/// Statements of the bodies of what is there twice, at most.
const MOST_STATEMENTS: usize = 24;

/// What is known of the version without tasks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alone {
    /// It has little to do.
    Little,
    /// It has so few elements that loops do.
    Few,
    /// It may have any size.
    AnySize,
}

/// Whether an operation is worth a version without tasks.
pub(super) fn pay(op: &SegOp, estimate: Estimate) -> bool {
    let inside = any_exp(
        |v| v.kernel_body(&op.body),
        |e| matches!(e, Exp::Loop { .. } | Exp::Seg(_) | Exp::Call { .. }),
    );
    let operators: usize = op.kind.reductions().iter().map(|r| size(&r.op.body.stms)).sum();
    !inside && estimate.elements_are_cheap() && size(&op.body.stms) + operators <= MOST_STATEMENTS
}

/// If a reduction goes by a tree or by many accumulators once it has so many elements, how many these are.
fn apart_from(op: &SegOp, places: &Places) -> Option<i64> {
    let SegKind::Red(ops) = &op.kind else { return None };
    let apart = folds(op)
        && suits_tree(ops, &op.body)
        && !ops.iter().all(|r| accumulation(r).is_some())
        && places.columns(&op.space, &op.body.stms).is_none();
    apart.then(|| if ops.iter().all(commutes) { SOME } else { TREE })
}

impl Cut {
    /// If an operation is worth a version without tasks, when that is taken, and what is known of it then. So many
    /// tasks are wanted.
    pub(super) fn pays_version(
        &mut self,
        op: &SegOp,
        (wanted, estimate): (SubExp, Estimate),
    ) -> Option<(SubExp, Alone)> {
        if !self.repeated || !pay(op, estimate) {
            return None;
        }
        let b = &mut self.b;
        let single = b.le(wanted, SubExp::i64(1));
        let Some(least) = apart_from(op, &self.places) else {
            return Some((single, Alone::Little));
        };
        let (_, n) = op.space.dims.last()?;
        let few = b.lt(*n, SubExp::i64(least));
        Some((b.and(single, few), Alone::Few))
    }

    /// Emits a statement as it is if `alone`, and else what `cut` emits for it under other names, and says it comes to.
    pub(super) fn versions(
        &mut self,
        s: &Stm,
        (alone, size): (SubExp, Alone),
        cut: impl FnOnce(&mut Cut, &Stm) -> Option<Vec<SubExp>>,
    ) -> Option<()> {
        let mut renamed = || {
            let mut copy = s.clone();
            copy.pat.iter_mut().for_each(|p| p.var = self.b.names.like(p.var));
            let result = copy.pat.iter().filter(|p| !is_dead(p)).map(|p| p.var.into()).collect();
            (copy, result)
        };
        let (mut whole, result) = renamed();
        let (inside, _): (Stm, Vec<SubExp>) = renamed();
        Renamer::new(&mut self.b.names).exp(&mut whole.exp);
        match size {
            Alone::Little => whole.attrs.push(StmAttr::InCache),
            Alone::Few => whole.schedule = Some(Schedule::loops()),
            Alone::AnySize => {}
        }
        let cases = vec![(Const::Bool(true), Body { stms: vec![whole], result })];
        self.b.begin();
        let made = cut(self, &inside)?;
        // What nothing reads has no place, so that it does not leave its version.
        let kept = |(p, x): (&PatElem, SubExp)| (!is_dead(p)).then_some(x);
        let result = s.pat.iter().zip(made).filter_map(kept).collect();
        let default = Body { stms: self.b.end(), result };
        let exp = Exp::Match { scrutinee: alone, cases, default };
        let pat = s.pat.iter().filter(|p| !is_dead(p)).cloned().collect();
        self.b.push(Stm { loc: s.loc, ..Stm::new(pat, exp) });
        Some(())
    }
}
