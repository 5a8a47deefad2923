//! Loops that scan numbers and write where the sums say: ranks of sorts and partitions
//! ([`crate::passes::seg::fuse_scan`]). Every task reduces a range, asks what those before it come to, and goes through
//! the range again, which is in the second cache then.
//!
//! ```text
//! (d', c') = loop (d, c = 0) for i < n {     if alone { … as before … } else {
//!   x = …; s = c + x                           segmap tasks (t < tasks) {
//!   update d[… s …] with …               →       lo = t · size;  len = min(size, n − lo)
//!   in (d, s)                                    sum = segred seq (k < len) (+) { i = k + lo … x }
//! }                                              start = prefix(sum) (+)
//!                                                loop (d, c = start) for k < len { i = k + lo … }
//!                                              }
//!                                            }
//! ```
//!
//! The operators are those of integers, and what is written to one place is the same whichever iteration writes it last
//! ([`StmAttr`]): the result is the same however the loop is cut, and one thread alone runs it as it was.

use super::cutter::{Cut, over, tasks, value_of_tasks};
use super::grain::Grain;
use super::space::{self, Range};
use super::versions::Alone;
use crate::ir::traverse::{Renamer, Rewrite, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, Builder, Exp, KernelBody, KernelResult, LoopForm, Param, PatElem, Prim, Reduction,
    SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};

/// Elements that a task goes through at most, so that what it reads is in the second cache when it comes by again.
const RANGE: i64 = 16 << 10;
/// Values that the runtime has room for in a prefix.
const MOST_VALUES: usize = 32;

/// A loop that scans and writes.
struct ScanScatter<'a> {
    index: Var,
    n: SubExp,
    params: &'a [Param],
    init: &'a [SubExp],
    body: &'a Body,
    sums: Vec<Sum>,
    /// The statements that elements are computed by.
    elements: Vec<usize>,
}

/// A value that is accumulated.
struct Sum {
    /// Which parameter it is.
    at: usize,
    op: BinOp,
    element: SubExp,
}

impl<'a> ScanScatter<'a> {
    fn find(s: &'a Stm) -> Option<ScanScatter<'a>> {
        let Exp::Loop { params, init, form, body } = &s.exp else { return None };
        let LoopForm::For { var: index, ty: space::I64, bound: n } = *form else { return None };
        if !s.has(StmAttr::Scatters) {
            return None;
        }
        let defined = |v: Var| body.stms.iter().position(|s| s.pat.iter().any(|p| p.var == v));
        let mut sums = Vec::new();
        for (at, p) in params.iter().enumerate() {
            match &p.ty {
                Type::Prim(Prim::Int(_)) => {
                    let next = body.result.get(at)?.var()?;
                    let Exp::BinOp(op, x, y) = body.stms.get(defined(next)?)?.exp else {
                        return None;
                    };
                    let this = SubExp::from(p.var);
                    let element = match (x == this, y == this) {
                        (true, false) => y,
                        (false, true) => x,
                        _ => return None,
                    };
                    if !associates(op) {
                        return None;
                    }
                    sums.push(Sum { at, op, element });
                }
                // In place, whatever the iteration.
                Type::Array { .. } if p.mem.is_some() && s.pat.get(at)?.mem == p.mem => {}
                _ => return None,
            }
        }
        if sums.is_empty() || sums.len() > MOST_VALUES {
            return None;
        }
        let carried: VarSet = params.iter().map(|p| p.var).collect();
        let mut wanted: VarSet = sums.iter().filter_map(|s| s.element.var()).collect();
        let mut elements = Vec::new();
        for (at, s) in body.stms.iter().enumerate().rev() {
            if s.pat.iter().any(|p| wanted.contains(&p.var)) {
                wanted.extend(free_in_stm(s));
                elements.push(at);
            }
        }
        elements.reverse();
        let apart = wanted.iter().all(|v| !carried.contains(v));
        apart.then_some(ScanScatter { index, n, params, init, body, sums, elements })
    }

    /// The sums over the whole index space.
    fn reduction(&self, b: &mut Builder) -> SegOp {
        let stms = self.elements.iter().filter_map(|at| self.body.stms.get(*at).cloned()).collect();
        let results = self.sums.iter().map(|s| KernelResult::Return(s.element)).collect();
        let types = self.sums.iter().filter_map(|s| self.params.get(s.at)).map(|p| p.ty.clone());
        let body = KernelBody { stms, results, types: types.collect() };
        SegOp {
            level: SegLevel::Seq,
            space: SegSpace { dims: vec![(self.index, self.n)] },
            kind: SegKind::Red(self.operators(b)),
            body,
        }
    }

    fn operators(&self, b: &mut Builder) -> Vec<Reduction> {
        let operator = |s: &Sum| {
            let (param, neutral) = (self.params.get(s.at)?, *self.init.get(s.at)?);
            let params = [("x", param.ty.clone()), ("y", param.ty.clone())];
            let op = b.lambda(&params, |b, args| {
                args.iter().copied().reduce(|x, y| b.binop(s.op, x, y)).into_iter().collect()
            });
            Some(Reduction { op, neutral: vec![neutral], commutative: true })
        };
        self.sums.iter().filter_map(operator).collect()
    }
}

/// Whether an operation of integers is the same in any order.
fn associates(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Add(_)
            | BinOp::Mul(_)
            | BinOp::SMin(_)
            | BinOp::SMax(_)
            | BinOp::UMin(_)
            | BinOp::UMax(_)
            | BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Xor(_)
    )
}

impl Cut {
    /// A loop that scans and writes in tasks, if it may be worth that.
    pub(super) fn scan_scatter(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let found = ScanScatter::find(s)?;
        let n = found.n;
        let wanted = self.begin_loop(s, (found.index, n), found.body)?;
        let single = space::alone(wanted, &mut self.b);
        self.versions(s, (single, Alone::AnySize), |cut, s| {
            let b = &mut cut.b;
            let mut size = space::quotient_up(n, wanted, b);
            if cut.grain != Grain::Smallest {
                let up = b.add(size, SubExp::i64(space::LINE - 1));
                size = b.binop(BinOp::And(space::I64), up, SubExp::i64(-space::LINE));
                size = b.min(size, SubExp::i64(RANGE));
            }
            let size = b.max(size, SubExp::i64(1));
            Some(cut.scan_scatter_in_tasks(s, &found, size))
        })?;
        Some(self.b.end())
    }

    fn scan_scatter_in_tasks(
        &mut self,
        s: &Stm,
        found: &ScanScatter<'_>,
        size: SubExp,
    ) -> Vec<SubExp> {
        let b = &mut self.b;
        let count = space::quotient_up(found.n, size, b);
        b.begin();
        let t = b.names.fresh("task");
        let first = b.mul(t.into(), size);
        let range = space::range_from(first, size, found.n, b);
        let types: Vec<Type> = found
            .sums
            .iter()
            .filter_map(|s| found.params.get(s.at))
            .map(|p| p.ty.clone())
            .collect();
        let sums: Vec<PatElem> = types.iter().map(|t| b.pat("sum", t.clone())).collect();
        let values = sums.iter().map(|p| p.var.into()).collect();
        let whole = found.reduction(b);
        let mut part = Exp::Seg(over(whole, &[range], &self.places, b));
        Renamer::new(&mut b.names).exp(&mut part);
        b.push(Stm { loc: s.loc, ..Stm::new(sums, part) });
        let starts: Vec<PatElem> = types.iter().map(|t| b.pat("start", t.clone())).collect();
        let prefix = Exp::Prefix { ops: found.operators(b), values };
        b.push(Stm { loc: s.loc, ..Stm::new(starts.clone(), prefix) });
        let mut init = found.init.to_vec();
        for (sum, start) in found.sums.iter().zip(&starts) {
            if let Some(x) = init.get_mut(sum.at) {
                *x = start.var.into();
            }
        }
        let made = loop_over(s, (found.index, found.params, found.body), init, range, b);
        let results = (found.sums.iter().filter_map(|s| made.get(s.at)))
            .map(|p| KernelResult::Return(p.var.into()))
            .collect();
        let body = KernelBody { stms: b.end(), results, types: types.clone() };
        let ends: Vec<PatElem> =
            types.iter().filter_map(|t| Some(value_of_tasks("end", t.elem()?, count, b))).collect();
        b.push(tasks(ends.clone(), t, count, body, s));
        let mut result = found.init.to_vec();
        let last = b.sub(count, SubExp::i64(1));
        for (sum, end) in found.sums.iter().zip(&ends) {
            if let Some(x) = result.get_mut(sum.at) {
                *x = b.index("sum", end.var, &[last]).into();
            }
        }
        result
    }
}

/// Emits a loop over a range of its rounds, with what it starts with; what it binds.
pub(super) fn loop_over(
    s: &Stm,
    (index, params, body): (Var, &[Param], &Body),
    init: Vec<SubExp>,
    range: Range,
    b: &mut Builder,
) -> Vec<PatElem> {
    let k = b.names.like(index);
    let mut body = body.clone();
    let whole = Exp::BinOp(BinOp::Add(space::I64), k.into(), range.first);
    body.stms.insert(0, Stm::new(vec![PatElem::new(index, Type::I64)], whole));
    let pat: Vec<PatElem> = (params.iter())
        .map(|p| PatElem { var: b.names.like(p.var), ty: p.ty.clone(), mem: p.mem.clone() })
        .collect();
    let form = LoopForm::For { var: k, ty: space::I64, bound: range.len };
    let mut exp = Exp::Loop { params: params.to_vec(), init, form, body };
    Renamer::new(&mut b.names).exp(&mut exp);
    b.push(Stm { pat: pat.clone(), exp, schedule: None, ..s.clone() });
    pat
}
