//! Which reductions inside of an operation become operations of their own before it, and over which dimensions.

use super::rows::Rows;
use super::scope::{Nest, dims_of, is_outside, outside};
use super::split::Split;
use super::worth::Whole;
use crate::analysis::contraction::contraction;
use crate::ir::traverse::{free_in_exp, free_in_lambda};
use crate::ir::{Exp, KernelBody, SegKind, SegLevel, SegOp, SegSpace, Stm};

/// Which reductions leave.
#[derive(Clone, Copy)]
pub enum Wanted {
    /// Of those in the body of an operation: this one at all events, or those down columns; and
    /// products.
    Near { any: bool, columns: bool },
    /// Of those in an operation in its body: products.
    Far,
}

impl Split {
    /// A reduction as a statement outside the nest that it stands in, if that is profitable and
    /// only scalar code and rows made of that stand before it.
    pub fn product(
        &mut self,
        nest: &Nest<'_>,
        stm: &Stm,
        wanted: Wanted,
        rows: &mut Rows,
    ) -> Option<Stm> {
        let Exp::Seg(SegOp { level: SegLevel::Seq, space: own, kind: SegKind::Red(ops), body }) =
            &stm.exp
        else {
            return None;
        };
        let [p] = stm.pat.as_slice() else { return None };
        let operators = ops.iter().all(|r| {
            r.neutral.iter().all(|x| is_outside(nest, *x))
                && free_in_lambda(&r.op).iter().all(|v| outside(nest, *v))
        });
        if !operators || !own.dims.iter().all(|(_, n)| is_outside(nest, *n)) {
            return None;
        }
        let mut with = rows.clone();
        let mut stms = self.needs(nest, free_in_exp(&stm.exp), &mut with)?;
        stms.extend(body.stms.iter().cloned());
        with.read_in_all(&mut stms);
        let dims = dims_of(nest).into_iter().chain(own.dims.iter().copied()).collect();
        let space = SegSpace { dims };
        let points = KernelBody { stms, results: body.results.clone(), types: body.types.clone() };
        let whole = Whole { space: &space, own: own.dims.len(), ops, body: &points };
        let worth = match (wanted, p.ty.rank()) {
            (Wanted::Near { any, columns }, 0) => {
                let alone = with.made.is_empty();
                alone && any && ops.len() == 1
                    || whole.is_product()
                    || alone && columns && whole.is_column()
            }
            (Wanted::Near { .. }, _) => {
                // As many products as there are points are as good where they are.
                contraction(own, ops, body).is_none()
                    && whole.is_wide_product()
                    && !self.consumed(p.var)
            }
            (Wanted::Far, 0) => whole.is_wide_product(),
            (Wanted::Far, _) => false,
        };
        if !worth {
            return None;
        }
        let (level, ops) = (SegLevel::Seq, ops.clone());
        let exp = Exp::Seg(SegOp { level, space, kind: SegKind::Red(ops), body: points });
        let product = self.leave(nest, stm, exp)?;
        *rows = with;
        Some(product)
    }
}
