//! Arrays of which a loop reads in each round the element of that round, so that it can as well compute it.

use crate::ir::traverse::{Rewrite, Subst, Visit, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{DimIndex, Exp, KernelBody, Mentions, SegSpace, Stm, SubExp, Var};

/// Whether `reader`, which counts with `counter`, is all that mentions what `made` yields, and reads the elements at
/// its counter only.
pub(super) fn all_read_in_turn(
    reader: &Stm,
    counter: Var,
    made: &Stm,
    mentions: &Mentions,
) -> bool {
    struct Reads {
        of: VarSet,
        at: [DimIndex; 1],
        count: usize,
    }
    impl Visit for Reads {
        fn stm(&mut self, s: &Stm) {
            if let Exp::Index { array, dims } = &s.exp
                && self.of.contains(array)
                && **dims == self.at
            {
                self.count += 1;
            }
            walk::stm(self, s);
        }
    }
    let of: VarSet = made.pat.iter().map(|p| p.var).collect();
    let all = mentions.total(of.iter().copied());
    let mut reads = Reads { of, at: [DimIndex::Fix(counter.into())], count: 0 };
    walk::stm(&mut reads, reader);
    reads.count > 0 && reads.count == all
}

/// The body of an operation on one dimension, for the point of a loop's round.
pub(super) fn at_counter(body: &mut KernelBody, space: &SegSpace, counter: Var) {
    let mut subst = Subst::new();
    if let Some((i, _)) = space.dims.first() {
        subst.insert(*i, counter);
    }
    subst.kernel_body(body);
}

/// Puts the elements of arrays in place of what reads them.
pub(super) fn elements_for_reads(elements: VarMap<SubExp>, stms: &mut Vec<Stm>) {
    struct Elements(VarMap<SubExp>);
    impl Rewrite for Elements {
        fn stm(&mut self, s: &mut Stm) {
            if let Exp::Index { array, .. } = &s.exp
                && let Some(x) = self.0.get(array)
            {
                s.exp = Exp::SubExp(*x);
            }
            rewrite::stm(self, s);
        }
    }
    Elements(elements).stms(stms);
}
