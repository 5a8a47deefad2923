//! Maps down columns whose results are concatenated, as steps of wavelet transforms are, go along rows.
//!
//! ```text
//! segmap seq (i < n) {                        a, b = segmap seq (j < h, i < n) {
//!   a, b = segmap seq (j < h) {                 x = xss[2 * j, i] … }
//!     x = xss[2 * j, i] … }           →       c = concat(0, [a, b], m)
//!   c = concat(0, [a, b], m)                  rearrange c (1, 0)
//!   in (return c) }
//! ```
//!
//! Taken are those of which [`across`] holds for every inner map, whatever it asks, and which do nothing else with its results.

use super::reads::{across, view};
use crate::analysis::bodies::returns;
use crate::ir::traverse::{Rewrite, Subst, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Builder, Exp, KernelBody, KernelResult, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type,
    Var,
};

/// Whether a map is of this kind.
pub(super) fn is_concatenated(space: &SegSpace, body: &KernelBody) -> bool {
    let [outer] = space.dims.as_slice() else { return false };
    let (mut pieces, mut whole) = (VarSet::default(), VarSet::default());
    for s in &body.stms {
        let made = |v: &Var| pieces.contains(v) || whole.contains(v);
        let fits = match &s.exp {
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) => {
                let [inner] = space.dims.as_slice() else { return false };
                let both = SegSpace { dims: vec![*outer, *inner] };
                !free_in_stm(s).iter().any(made)
                    && inner.1 != SubExp::Var(outer.0)
                    && across(&both, body, true)
            }
            Exp::Concat { dim: 0, arrays, size } => {
                let variables = size.var().into_iter().chain(s.certs.iter().copied());
                arrays.iter().all(|v| pieces.contains(v))
                    && variables.into_iter().all(|v| v != outer.0 && !made(&v))
            }
            _ => false,
        };
        if !fits {
            return false;
        }
        let made = if matches!(s.exp, Exp::Seg(_)) { &mut pieces } else { &mut whole };
        made.extend(s.pat.iter().map(|p| p.var));
    }
    let is_whole = |r: &KernelResult| match r {
        KernelResult::Return(SubExp::Var(v)) => whole.contains(v),
        KernelResult::Return(SubExp::Const(_)) | KernelResult::Write { .. } => false,
    };
    returns(body) && body.results.iter().all(is_whole)
}

/// What makes the same by rows.
pub(super) fn by_rows(stm: Stm, b: &mut Builder, list: &mut Vec<Stm>) {
    let Stm { pat, exp, certs, loc, .. } = stm;
    let Exp::Seg(SegOp { space: outer, body, .. }) = exp else { return };
    let width = outer.dims.first().map_or(SubExp::i64(0), |(_, n)| *n);
    for mut s in body.stms {
        s.certs.extend(certs.iter().copied());
        for p in &mut s.pat {
            if let (Some(elem), [n]) = (p.ty.elem(), p.ty.shape()) {
                p.ty = Type::array(elem, vec![*n, width]);
            }
        }
        if let Exp::Seg(op) = &mut s.exp {
            // Each map has an index of its own.
            for (i, n) in &outer.dims {
                let own = b.names.like(*i);
                let mut subst = Subst::new();
                subst.insert(*i, own);
                subst.kernel_body(&mut op.body);
                op.space.dims.push((own, *n));
            }
        }
        list.push(s);
    }
    for (p, result) in pat.into_iter().zip(body.results) {
        if let KernelResult::Return(SubExp::Var(whole)) = result {
            list.push(view(p, whole, loc));
        }
    }
}
