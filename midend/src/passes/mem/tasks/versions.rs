//! Two versions of an operation: as it was, for a thread that has little to do or no other beside it, and in tasks.
//!
//! ```text
//! let ys = op { … }   →   let ys = if alone { ys₁ = op { … } in ys₁ } else { … tasks … in ys₂ }
//! ```
//!
//! A task reads what it needs from memory and is called by the runtime, some 5 to 10 ns in all. That is much beside an
//! operation of a few hundred elements, of which host loops run millions, and nothing beside one whose points are
//! expensive: those, and long ones, have no version without tasks, so that code grows by small bodies only.

use super::cutter::{Cut, is_dead};
use super::work::Estimate;
use crate::analysis::bodies::size;
use crate::ir::traverse::{Renamer, Rewrite, Visit};
use crate::ir::{Body, Const, Exp, PatElem, SegOp, Stm, StmAttr, SubExp};

/// Statements of the bodies of what is there twice, at most.
const MOST_STATEMENTS: usize = 24;

/// What is known of the version without tasks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alone {
    /// It has little to do.
    Little,
    /// It may have any size.
    AnySize,
}

/// Whether an operation is worth a version without tasks.
pub(super) fn pay(op: &SegOp, estimate: Estimate) -> bool {
    struct Inside(bool);
    impl Visit for Inside {
        fn exp(&mut self, e: &Exp) {
            self.0 |= matches!(e, Exp::Loop { .. } | Exp::Seg(_) | Exp::Call { .. });
            crate::ir::traverse::walk::exp(self, e);
        }
    }
    let mut inside = Inside(false);
    inside.kernel_body(&op.body);
    let operators: usize = op.kind.reductions().iter().map(|r| size(&r.op.body.stms)).sum();
    !inside.0 && estimate.elements_are_cheap() && size(&op.body.stms) + operators <= MOST_STATEMENTS
}

impl Cut {
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
        if size == Alone::Little {
            whole.attrs.push(StmAttr::InCache);
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
