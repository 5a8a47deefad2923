//! Arrays of which a loop reads in each round the element of that round, so that it can as well compute it, and
//! writes of a map's points, one after the other.

use crate::ir::traverse::{Rewrite, Subst, Visit, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, CmpOp, Const, DimIndex, Exp, IntType, KernelBody, KernelResult, Loc, Mentions,
    NameSource, Param, PatElem, Prim, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

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

/// The index, size and body of a map of one dimension by this thread.
pub(super) fn map_of(stm: &Stm) -> Option<(Var, SubExp, &KernelBody)> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &stm.exp else {
        return None;
    };
    let [(i, n)] = space.dims.as_slice() else { return None };
    (!body.results.is_empty()).then_some((*i, *n, body))
}

/// What a loop carries that writes in turn what the points of a map write.
pub(super) struct WritesInTurn {
    /// The destinations.
    pub params: Vec<Param>,
    /// What they are before.
    pub init: Vec<SubExp>,
    /// And after a round.
    pub result: Vec<SubExp>,
}

/// Has the body of a loop, which `stms` are the beginning of, write what a point of a map does; nothing if the map yields
/// elements. What lies outside of a destination is not written.
pub(super) fn writes_in_turn(
    pat: &[PatElem],
    results: &[KernelResult],
    loc: Option<Loc>,
    stms: &mut Vec<Stm>,
    names: &mut NameSource,
) -> Option<WritesInTurn> {
    let (mut params, mut init, mut result) = (Vec::new(), Vec::new(), Vec::new());
    for (p, written) in pat.iter().zip(results) {
        let KernelResult::Write { dest, writes } = written else { return None };
        let param = Param::new(names.like(p.var), p.ty.clone());
        let mut now = param.var;
        for (index, value) in writes {
            let first = stms.len();
            let inside = is_inside(index, p.ty.shape(), stms, names);
            let [after, chosen] = [(); 2].map(|()| PatElem::new(names.like(p.var), p.ty.clone()));
            let dims = index.iter().map(|i| DimIndex::Fix(*i)).collect();
            let update = Exp::Update { array: now, dims, value: *value };
            let next = chosen.var;
            let written = Body {
                result: vec![after.var.into()],
                stms: vec![Stm { loc, ..Stm::new(vec![after], update) }],
            };
            let default = Body { stms: Vec::new(), result: vec![now.into()] };
            let cases = vec![(Const::Bool(true), written)];
            stms.push(Stm::new(vec![chosen], Exp::Match { scrutinee: inside, cases, default }));
            stms.iter_mut().skip(first).for_each(|stm| stm.loc = loc);
            now = next;
        }
        params.push(param);
        init.push((*dest).into());
        result.push(now.into());
    }
    Some(WritesInTurn { params, init, result })
}

/// Whether an index is one of an array of this shape.
fn is_inside(
    index: &[SubExp],
    shape: &[SubExp],
    stms: &mut Vec<Stm>,
    names: &mut NameSource,
) -> SubExp {
    let mut all = SubExp::from(Const::Bool(true));
    for (d, (i, n)) in index.iter().zip(shape).enumerate() {
        // A negative index is a large one without sign.
        let here = Exp::CmpOp(CmpOp::ULt(IntType::I64), *i, *n);
        let mut bind = |exp: Exp| {
            let v = names.fresh("inside");
            stms.push(Stm::new(vec![PatElem::new(v, Type::Prim(Prim::Bool))], exp));
            SubExp::from(v)
        };
        let here = bind(here);
        all = if d == 0 { here } else { bind(Exp::BinOp(BinOp::LogAnd, all, here)) };
    }
    all
}
