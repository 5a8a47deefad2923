//! Sums that a filter's loop accumulates, as scans of chunks: by vectors where the operator has them.
//!
//! ```text
//! loop (…, a) for i < n {            ss = segscan (j < length) (+) {
//!   s = a + x                          x = …,  in (return if j == 0 then a + x else x) }
//!   …                          →     segmap (j < length) { s = ss[j], … }
//!   in (…, s) }                      a' = ss[length - 1]
//! ```
//!
//! What was there before an element is the sum less the element; of operators that have no inverse nobody may want it.

use super::super::chunks::{Kept, block, chunk_of_map, elements_of_chunk, results_of_chunk};
use crate::analysis::filters::Filter;
use crate::analysis::sums::{Counted, Sum, Sums};
use crate::ir::traverse::{Renamer, Rewrite, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, Builder, Const, DimIndex, Exp, KernelBody, KernelResult, Lmad, MemBind, Param,
    PatElem, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};

/// What a loop accumulates, as scans of chunks.
pub(super) struct Scans<'a> {
    sums: &'a Sums<'a>,
    /// Elements of the sums.
    pub(super) elements: KernelBody,
    kept: Kept,
    /// Of each sum, the array of what it is behind each element of a chunk.
    arrays: Vec<Var>,
}

impl<'a> Scans<'a> {
    /// Nothing if what has been accumulated before an element is wanted and does not follow from what is accumulated with it.
    pub(super) fn of(
        filter: &Filter<'_>,
        sums: &'a Sums<'a>,
        b: &mut Builder,
    ) -> Option<Scans<'a>> {
        let Counted { index, params, body, .. } = sums.rounds;
        let mentioned: VarSet = (body.stms.iter().enumerate())
            .filter(|(k, _)| !sums.all.iter().any(|s| sums.rounds.next(s.at) == Some(*k)))
            .flat_map(|(_, s)| free_in_stm(s))
            .chain(filter.outputs.iter().filter_map(|o| o.value.var()))
            .chain(filter.counts.iter().filter_map(|c| c.flag.var()))
            .collect();
        let follows = |s: &Sum| {
            let before = params.get(s.at).is_some_and(|p| mentioned.contains(&p.var));
            !before || matches!(s.op, BinOp::Add(_))
        };
        if !sums.all.iter().all(follows) {
            return None;
        }
        let stms = sums.elements.iter().filter_map(|k| body.stms.get(*k).cloned()).collect();
        let results = sums.all.iter().map(|s| KernelResult::Return(s.element)).collect();
        let elements = KernelBody { stms, results, types: sums.types() };
        let kept = Kept::of(index, &elements)?;
        let arrays = sums.all.iter().map(|_| b.names.fresh("scanned")).collect();
        Some(Scans { sums, elements, kept, arrays })
    }

    /// Blocks for elements that are kept, and for what is accumulated.
    pub(super) fn blocks(&self, b: &mut Builder) -> (Vec<PatElem>, Vec<PatElem>) {
        let kept = self.kept.types.iter().map(|t| block(*t, b)).collect();
        let scanned =
            self.sums.all.iter().filter_map(|s| s.ty.elem()).map(|t| block(t, b)).collect();
        (kept, scanned)
    }

    /// The scans of a chunk; which parameters the sums are, and what they are behind it.
    pub(super) fn of_chunk(
        &self,
        stm: &Stm,
        (index, first, length): (Var, SubExp, SubExp),
        params: &[Param],
        (kept, scanned): &(Vec<PatElem>, Vec<PatElem>),
        b: &mut Builder,
    ) -> Option<Vec<(usize, SubExp)>> {
        let made = results_of_chunk(&self.kept, kept, length, b);
        if !made.is_empty() {
            let range = (index, first, length);
            let map = chunk_of_map(stm, range, (&self.elements, &self.kept), made.clone(), b);
            b.push(map);
        }
        let mut ends = Vec::new();
        for (k, sum) in self.sums.all.iter().enumerate() {
            let (array, place) = (*self.arrays.get(k)?, scanned.get(k)?);
            let j = b.names.fresh("j");
            b.begin();
            let at = (index, j, first);
            let (stms, elements) = elements_of_chunk(at, (&self.elements, &self.kept), &made, b);
            b.push_all(stms);
            let element = *elements.get(k)?;
            // The first element comes behind all that was there before the chunk.
            let begins = b.eq(j.into(), SubExp::i64(0));
            let whole = b.binop(sum.op, params.get(sum.at)?.var.into(), element);
            let one = |x| Body { stms: Vec::new(), result: vec![x] };
            let cases = vec![(Const::Bool(true), one(whole))];
            let x = Exp::Match { scrutinee: begins, cases, default: one(element) };
            let x = b.emit_as("x", sum.ty.clone(), x);
            let types = vec![sum.ty.clone()];
            let results = vec![KernelResult::Return(x.into())];
            let body = KernelBody { stms: b.end(), results, types };
            let kind = SegKind::Scan(vec![sum.operator(sum.neutral.into(), b)]);
            let space = SegSpace { dims: vec![(j, length)] };
            let op = SegOp { level: SegLevel::Seq, space, kind, body };
            let mut exp = Exp::Seg(op);
            Renamer::new(&mut b.names).exp(&mut exp);
            let mem = MemBind { block: place.var, lmad: Lmad::row_major(&[length]) };
            let ty = Type::array(sum.ty.elem()?, vec![length]);
            b.know_pat(&[PatElem::new(array, ty.clone())]);
            let pat = vec![PatElem::in_mem(array, ty, mem)];
            let attrs = vec![StmAttr::InCache];
            b.push(Stm { loc: stm.loc, attrs, ..Stm::new(pat, exp) });
            let last = b.sub(length, SubExp::i64(1));
            ends.push((sum.at, b.index("sum", array, &[last]).into()));
        }
        Some(ends)
    }

    /// Statements that bind what the sums are at an element, behind those that compute their elements.
    pub(super) fn at_element(&self, first: Var, b: &mut Builder) -> Option<Vec<Stm>> {
        let Counted { index, params, body, .. } = self.sums.rounds;
        b.begin();
        b.push_all(self.elements.stms.iter().cloned());
        let j = b.sub(index.into(), first.into());
        for (sum, array) in self.sums.all.iter().zip(&self.arrays) {
            let made = body.stms.get(self.sums.rounds.next(sum.at)?)?;
            let dims = vec![DimIndex::Fix(j)];
            b.push(Stm::new(made.pat.clone(), Exp::Index { array: *array, dims }));
            if let BinOp::Add(ty) = sum.op {
                let next = made.pat.first()?.var;
                let before = Exp::BinOp(BinOp::Sub(ty), next.into(), sum.element);
                let pat = vec![PatElem::new(params.get(sum.at)?.var, sum.ty.clone())];
                b.push(Stm::new(pat, before));
            }
        }
        Some(b.end())
    }
}
