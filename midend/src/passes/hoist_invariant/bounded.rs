//! What ends soon, whatever checks say.

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, LoopForm, Soac, Stm, SubExp};

/// Whether a statement goes through no more than arrays that exist have elements. What does so ends whatever checks say; the length
/// of a slice that is out of bounds may be any number.
pub(super) fn is_bounded(s: &Stm, sizes: &VarSet) -> bool {
    struct Widths<'s> {
        sizes: &'s VarSet,
        bounded: bool,
    }
    impl Visit for Widths<'_> {
        fn exp(&mut self, e: &Exp) {
            let known = |n: &SubExp| n.var().is_none_or(|n| self.sizes.contains(&n));
            self.bounded &= match e {
                Exp::Soac(
                    Soac::Screma { width, .. }
                    | Soac::Hist { width, .. }
                    | Soac::Scatter { width, .. },
                ) => known(width),
                Exp::Seg(op) => op.space.dims.iter().all(|(_, n)| known(n)),
                Exp::Loop { form: LoopForm::For { bound, .. }, .. } => known(bound),
                Exp::Iota { n, .. } => known(n),
                Exp::Replicate { shape, .. } => shape.iter().all(known),
                _ => true,
            };
            walk::exp(self, e);
        }
    }
    let mut widths = Widths { sizes, bounded: true };
    widths.stm(s);
    widths.bounded
}
