//! The loop that a filter becomes.

use super::filter::Filter;
use super::find::{flags, index_of};
use super::places::Passed;
use crate::ir::traverse::{Rewrite, Subst};
use crate::ir::varmap::VarMap;
use crate::ir::{
    BinOp, Body, DimIndex, Exp, IntType, KernelResult, LoopForm, NameSource, Param, PatElem, Poly,
    SegKind, SegOp, Stm, StmAttr, SubExp, Type, Var,
};

/// A loop with what stands before it.
pub(super) struct Rounds {
    pub(super) stms: Vec<Stm>,
    /// For the parts of each destination, the buffers as the loop leaves them.
    pub(super) buffers: Vec<Vec<Var>>,
    /// The counts.
    pub(super) ends: Vec<Var>,
}

impl Filter {
    /// Makes the loop.
    pub(super) fn one_loop(
        &self,
        scan: &Stm,
        writer: &Stm,
        names: &mut NameSource,
    ) -> Option<Rounds> {
        let (n, body, _) = flags(&scan.exp)?;
        let Exp::Seg(SegOp { kind: SegKind::Map, body: writes, .. }) = &writer.exp else {
            return None;
        };
        let (i, j) = (index_of(&scan.exp)?, index_of(&writer.exp)?);
        let mut out = Vec::new();
        let stm = |pat: Vec<PatElem>, exp: Exp| Stm { loc: writer.loc, ..Stm::new(pat, exp) };

        let (mut params, mut init, mut pat) = (Vec::new(), Vec::new(), Vec::new());
        let mut inner = body.stms.clone();
        let mut result = Vec::new();
        let mut now: VarMap<Var> = VarMap::default();
        let mut next: Vec<SubExp> = Vec::new();
        for ((count, _), flag) in self.counts.iter().zip(&body.results) {
            let KernelResult::Return(flag) = flag else { return None };
            let [kept, after, total] = [(); 3].map(|()| names.fresh("kept"));
            params.push(Param::new(kept, Type::I64));
            init.push(SubExp::i64(0));
            pat.push(PatElem::new(total, Type::I64));
            let add = Exp::BinOp(BinOp::Add(IntType::I64), kept.into(), *flag);
            inner.push(stm(vec![PatElem::new(after, Type::I64)], add));
            now.insert(*count, kept);
            next.push(after.into());
        }
        result.extend(next.iter().copied());
        let mut subst = Subst::new();
        subst.insert(j, i);
        for (v, passed) in &self.passed {
            match passed {
                Passed::Count(c) => subst.insert(*v, *next.get(*c)?),
                Passed::Result(r) => match body.results.get(*r)? {
                    KernelResult::Return(x) => subst.insert(*v, *x),
                    KernelResult::Write { .. } => return None,
                },
            }
        }
        for s in self.needed(writes) {
            let mut s = s.clone();
            subst.stm(&mut s);
            inner.push(s);
        }
        let ends: Vec<Var> = pat.iter().map(|p| p.var).collect();
        let mut buffers = Vec::new();
        // Parts of several destinations may be of the same elements.
        let mut places: Vec<(&Poly, SubExp)> = Vec::new();
        for (element, written) in writer.pat.iter().zip(&self.writes_of) {
            let (elem, shape) = (element.ty.elem()?, vec![n]);
            let ty = Type::array(elem, shape.clone());
            let value = subst.lookup(written.value);
            let mut filled = Vec::new();
            for part in &written.parts {
                let [filling, after, end] = [(); 3].map(|()| names.like(element.var));
                let buffer = names.fresh("buffer");
                let exp = Exp::Scratch { elem, shape: shape.clone() };
                out.push(stm(vec![PatElem::new(buffer, ty.clone())], exp));
                init.push(buffer.into());
                params.push(Param::new(filling, ty.clone()));
                pat.push(PatElem::new(end, ty.clone()));
                let place = match places.iter().find(|(p, _)| **p == part.before) {
                    Some((_, place)) => *place,
                    None => {
                        let count = |v| now.get(&v).copied().unwrap_or(v);
                        sum(&part.before, &mut inner, names, &count)
                    }
                };
                places.push((&part.before, place));
                let update =
                    Exp::Update { array: filling, dims: vec![DimIndex::Fix(place)], value };
                inner.push(stm(vec![PatElem::new(after, ty.clone())], update));
                result.push(after.into());
                filled.push(end);
            }
            buffers.push(filled);
        }
        let form = LoopForm::For { var: i, ty: IntType::I64, bound: n };
        let body = Body { stms: inner, result };
        let certs = scan.certs.iter().chain(&writer.certs).copied().collect();
        // A schedule that was asked for is not obeyed, and that is said of the loop.
        let attrs = scan.forced().or(writer.forced()).map(StmAttr::Schedule).into_iter().collect();
        out.push(Stm { certs, attrs, ..stm(pat, Exp::Loop { params, init, form, body }) });
        Some(Rounds { stms: out, buffers, ends })
    }
}

/// Computes a sum of products.
pub(super) fn sum(
    p: &Poly,
    out: &mut Vec<Stm>,
    names: &mut NameSource,
    called: &dyn Fn(Var) -> Var,
) -> SubExp {
    let mut bind = |op: fn(IntType) -> BinOp, a: SubExp, b: SubExp| {
        let v = names.fresh("place");
        let exp = Exp::BinOp(op(IntType::I64), a, b);
        out.push(Stm::new(vec![PatElem::new(v, Type::I64)], exp));
        SubExp::from(v)
    };
    let mut total: Option<SubExp> = None;
    // What is added before what is taken away.
    let (more, less): (Vec<_>, Vec<_>) = p.monomials().partition(|(_, c)| *c > 0);
    for (vars, factor) in more.into_iter().chain(less) {
        let mut factors = vars.iter().map(|v| SubExp::from(called(*v)));
        let (first, takes) = match factors.next() {
            Some(first) if factor == -1 => (first, total.is_some()),
            Some(first) if factor == 1 => (first, false),
            Some(first) => (bind(BinOp::Mul, first, SubExp::i64(factor)), false),
            None => (SubExp::i64(factor), false),
        };
        let term = factors.fold(first, |a, b| bind(BinOp::Mul, a, b));
        total = Some(match total {
            None if factor == -1 && !vars.is_empty() => bind(BinOp::Sub, SubExp::i64(0), term),
            None => term,
            Some(so_far) if takes => bind(BinOp::Sub, so_far, term),
            Some(so_far) => bind(BinOp::Add, so_far, term),
        });
    }
    total.unwrap_or(SubExp::i64(0))
}
