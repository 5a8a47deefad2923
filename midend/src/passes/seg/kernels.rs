//! Map nests as kernels.
//!
//! ```text
//! map (\row -> let a = f row[0]            segmap grid (i < n, j < m) {
//!              in map (\x -> g a x) row)     row = xss[i]; a = f row[0]; x = row[j]
//!     xss                                    return g a x }
//! ```
//!
//! A nest goes as deep as each lambda ends in a map of regular width that yields its results;
//! scalar code and views in between are done again by every thread. What remains in the innermost
//! lambda is sequential. A nest whose threads would call functions stays on the host.

use super::{Lowerer, lower, nest};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Exp, KernelBody, KernelResult, Lambda, PatElem, Program, SegKind, SegLevel, SegOp, SegSpace,
    Soac, StmAttr, SubExp, Type, Var,
};

/// The outermost map nests and scatters become kernels; everything else becomes sequential.
pub fn kernels(prog: Program) -> Program {
    lower(prog, true)
}

impl Lowerer {
    /// Emits a kernel for `map lambda inputs`.
    pub(super) fn kernel(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: Vec<Var>,
        lambda: Lambda,
        attrs: &[StmAttr],
    ) {
        let certs = std::mem::take(&mut self.b.certs);
        let mut dims = Vec::new();
        let mut bound = VarSet::default();
        let (mut width, mut inputs, mut lambda) = (width, inputs, lambda);
        // Which result of the innermost lambda each result of the nest is.
        let mut order: Vec<usize> = (0..lambda.ret.len()).collect();
        self.b.begin();
        loop {
            let i = self.b.fresh("i", Type::I64);
            dims.push((i, width));
            bound.insert(i);
            bound.extend(lambda.params.iter().map(|p| p.var));
            self.read_rows(i, &inputs, &lambda.params);
            self.b.certs.clear();
            let Some(inner) = nest::inner_map(&lambda.body, &bound) else { break };
            let Some(last) = lambda.body.stms.pop() else { break };
            bound.extend(lambda.body.stms.iter().flat_map(|s| &s.pat).map(|p| p.var));
            self.thread_stms(std::mem::take(&mut lambda.body.stms));
            let Exp::Soac(Soac::Screma { width: w, inputs: xs, lambda: l, .. }) = last.exp else {
                break;
            };
            // The checks the inner map relies on guard the reads of its inputs.
            self.b.certs = last.certs;
            order = order.into_iter().map(|k| inner[k]).collect();
            (width, inputs, lambda) = (w, xs, l);
        }
        self.thread_stms(lambda.body.stms);
        let stms = self.b.end();
        self.b.certs = certs;
        let body = KernelBody {
            stms,
            results: order.iter().map(|k| KernelResult::Return(lambda.body.result[*k])).collect(),
            types: order.iter().map(|k| lambda.ret[*k].clone()).collect(),
        };
        let (level, space, kind) = (SegLevel::Grid, SegSpace { dims }, SegKind::Map);
        self.bind(pat, Exp::Seg(SegOp { level, space, kind, body }), attrs);
    }
}
