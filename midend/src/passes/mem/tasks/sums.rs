//! Sums that loops accumulate: values of integers, of which every round combines its own element with what was there, in
//! whatever order.
//!
//! ```text
//! loop (…, c = c0) for i < n {          segred seq (i < n) (+) [0] {
//!   x = …                          →      x = …
//!   s = c + x                             in (return x)
//!   … s …                               }
//!   in (…, s) }
//! ```
//!
//! What a range comes to is reduced by itself, so that a task knows what the loop would have accumulated where its range
//! begins. Elements are computed twice.

use super::cutter::{Cut, over, tasks, value_of_tasks};
use super::space::{self, Range};
use crate::ir::traverse::{Renamer, Rewrite, any_exp, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, Builder, Const, DimIndex, Exp, IntType, KernelBody, KernelResult, LoopForm, Param,
    PatElem, Prim, Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// A loop over the integers below a number.
#[derive(Clone, Copy)]
pub(super) struct Counted<'a> {
    pub(super) index: Var,
    pub(super) n: SubExp,
    pub(super) params: &'a [Param],
    pub(super) init: &'a [SubExp],
    pub(super) body: &'a Body,
}

/// A value that is accumulated.
pub(super) struct Sum {
    /// Which parameter it is.
    pub(super) at: usize,
    op: BinOp,
    pub(super) element: SubExp,
    neutral: Const,
    /// What the first round begins with.
    init: SubExp,
    ty: Type,
}

/// What a loop accumulates.
pub(super) struct Sums<'a> {
    pub(super) rounds: Counted<'a>,
    pub(super) all: Vec<Sum>,
    /// The statements that elements are computed by.
    pub(super) elements: Vec<usize>,
}

/// What is accumulated before tasks begin.
pub(super) struct BeforeTasks {
    /// Arrays with a value for each task.
    pub(super) before: Vec<Var>,
    /// What the loop comes to.
    pub(super) whole: Vec<SubExp>,
}

impl<'a> Counted<'a> {
    pub(super) fn find(s: &'a Stm) -> Option<Counted<'a>> {
        let Exp::Loop { params, init, form, body } = &s.exp else { return None };
        let LoopForm::For { var: index, ty: space::I64, bound: n } = *form else { return None };
        Some(Counted { index, n, params, init, body })
    }

    /// The statement of the body that defines a variable.
    pub(super) fn defined(&self, v: Var) -> Option<usize> {
        self.body.stms.iter().position(|s| s.pat.iter().any(|p| p.var == v))
    }

    /// The sum that a parameter is.
    pub(super) fn sum(&self, at: usize) -> Option<Sum> {
        let p = self.params.get(at)?;
        let next = self.body.result.get(at)?.var()?;
        let Exp::BinOp(op, x, y) = self.body.stms.get(self.defined(next)?)?.exp else {
            return None;
        };
        let this = SubExp::from(p.var);
        let element = match (x == this, y == this) {
            (true, false) => y,
            (false, true) => x,
            _ => return None,
        };
        let (neutral, init) = (neutral(op)?, *self.init.get(at)?);
        Some(Sum { at, op, element, neutral, init, ty: p.ty.clone() })
    }

    /// Sums whose elements have nothing to do with what the loop carries.
    pub(super) fn sums(self, all: Vec<Sum>) -> Option<Sums<'a>> {
        let carried: VarSet = self.params.iter().map(|p| p.var).collect();
        let mut wanted: VarSet = all.iter().filter_map(|s| s.element.var()).collect();
        let mut elements = Vec::new();
        for (at, s) in self.body.stms.iter().enumerate().rev() {
            if s.pat.iter().any(|p| wanted.contains(&p.var)) {
                wanted.extend(free_in_stm(s));
                elements.push(at);
            }
        }
        elements.reverse();
        let apart = wanted.iter().all(|v| !carried.contains(v));
        apart.then_some(Sums { rounds: self, all, elements })
    }
}

impl Sum {
    /// Whether it is made by adding.
    pub(super) fn adds(&self, ty: IntType) -> bool {
        self.op == BinOp::Add(ty)
    }

    fn operator(&self, neutral: SubExp, b: &mut Builder) -> Reduction {
        let params = [("x", self.ty.clone()), ("y", self.ty.clone())];
        let op = b.lambda(&params, |b, args| {
            args.iter().copied().reduce(|x, y| b.binop(self.op, x, y)).into_iter().collect()
        });
        Reduction { op, neutral: vec![neutral], commutative: true }
    }
}

impl Sums<'_> {
    /// The sums over the whole index space.
    fn reduction(&self, b: &mut Builder) -> SegOp {
        let Counted { index, n, body, .. } = self.rounds;
        let stms = self.elements.iter().filter_map(|at| body.stms.get(*at).cloned()).collect();
        let results = self.all.iter().map(|s| KernelResult::Return(s.element)).collect();
        let body = KernelBody { stms, results, types: self.types() };
        let operators = self.all.iter().map(|s| s.operator(s.neutral.into(), b)).collect();
        SegOp {
            level: SegLevel::Seq,
            space: SegSpace { dims: vec![(index, n)] },
            kind: SegKind::Red(operators),
            body,
        }
    }

    /// The operators, and what the loop begins with.
    pub(super) fn operators(&self, b: &mut Builder) -> Vec<Reduction> {
        self.all.iter().map(|s| s.operator(s.init, b)).collect()
    }

    pub(super) fn types(&self) -> Vec<Type> {
        self.all.iter().map(|s| s.ty.clone()).collect()
    }

    /// Whether it may fail to compute elements, and all else.
    pub(super) fn both_fail(&self) -> bool {
        let fails =
            |s: &Stm| any_exp(|v| v.stm(s), |e| matches!(e, Exp::Assert { .. } | Exp::Call { .. }));
        let (mut elements, mut others) = (false, false);
        for (at, s) in self.rounds.body.stms.iter().enumerate() {
            let which = if self.elements.contains(&at) { &mut elements } else { &mut others };
            *which |= fails(s);
        }
        elements && others
    }

    /// What the loop begins with where these have been accumulated.
    pub(super) fn begin_with(&self, starts: &[SubExp], init: &mut [SubExp]) {
        for (sum, start) in self.all.iter().zip(starts) {
            if let Some(x) = init.get_mut(sum.at) {
                *x = *start;
            }
        }
    }
}

impl Cut {
    /// What a range comes to.
    pub(super) fn sums_of_range(&mut self, s: &Stm, sums: &Sums<'_>, range: Range) -> Vec<SubExp> {
        let b = &mut self.b;
        let pat: Vec<PatElem> = sums.all.iter().map(|s| b.pat("sum", s.ty.clone())).collect();
        let values = pat.iter().map(|p| p.var.into()).collect();
        let whole = sums.reduction(b);
        let mut part = Exp::Seg(over(whole, &[range], &self.places, b));
        Renamer::new(&mut b.names).exp(&mut part);
        b.push(Stm { loc: s.loc, ..Stm::new(pat, part) });
        values
    }

    /// Emits what has been accumulated before each of `count` ranges of `size` rounds, and in the end.
    pub(super) fn sums_before_tasks(
        &mut self,
        s: &Stm,
        sums: &Sums<'_>,
        (size, count): (SubExp, SubExp),
    ) -> BeforeTasks {
        let elems = || sums.all.iter().filter_map(|s| Some((s, s.ty.elem()?)));
        let b = &mut self.b;
        let arrays: Vec<PatElem> =
            elems().map(|(_, elem)| value_of_tasks("sums", elem, count, b)).collect();
        b.begin();
        let t = b.names.fresh("task");
        let first = b.mul(t.into(), size);
        let range = space::range_from(first, size, sums.rounds.n, b);
        let results = self.sums_of_range(s, sums, range).into_iter().map(KernelResult::Return);
        let (results, types) = (results.collect(), sums.types());
        let b = &mut self.b;
        let body = KernelBody { stms: b.end(), results, types };
        b.push(tasks(arrays.clone(), t, count, body, s));
        // What a task comes to makes room for what those before it do.
        let t = b.names.fresh("task");
        let (mut params, mut init) = (Vec::new(), Vec::new());
        for s in &sums.all {
            params.push(b.param("sum", s.ty.clone()));
            init.push(s.init);
        }
        for p in &arrays {
            params.push(Param { mem: p.mem.clone(), ..b.param("before", p.ty.clone()) });
            init.push(p.var.into());
        }
        let (accumulated, before) = params.split_at(sums.all.len());
        let mut written: Vec<SubExp> = Vec::new();
        let mut body = b.body(|b| {
            let all = sums.all.iter().zip(accumulated).zip(before);
            all.map(|((s, acc), array)| {
                let x = b.index("sum", array.var, &[t.into()]);
                let dims = vec![DimIndex::Fix(t.into())];
                let update = Exp::Update { array: array.var, dims, value: acc.var.into() };
                let after = PatElem { mem: array.mem.clone(), ..b.pat("before", array.ty.clone()) };
                written.push(after.var.into());
                b.push(Stm::new(vec![after], update));
                b.binop(s.op, acc.var.into(), x.into())
            })
            .collect()
        });
        body.result.extend(written);
        let pat: Vec<PatElem> = (params.iter())
            .map(|p| PatElem { var: b.names.like(p.var), ty: p.ty.clone(), mem: p.mem.clone() })
            .collect();
        b.know_pat(&pat);
        let (whole, before) = pat.split_at(sums.all.len());
        let whole = whole.iter().map(|p| p.var.into()).collect();
        let before = before.iter().map(|p| p.var).collect();
        let form = LoopForm::For { var: t, ty: space::I64, bound: count };
        b.push(Stm { loc: s.loc, ..Stm::new(pat, Exp::Loop { params, init, form, body }) });
        BeforeTasks { before, whole }
    }
}

/// The neutral element of an operation that is the same in any order.
fn neutral(op: BinOp) -> Option<Const> {
    Some(match op {
        BinOp::Add(t) | BinOp::Or(t) | BinOp::Xor(t) | BinOp::UMax(t) => Const::int(t, 0),
        BinOp::Mul(t) => Const::int(t, 1),
        BinOp::And(t) | BinOp::UMin(t) => Const::int(t, -1),
        BinOp::SMin(t) => Const::from_bits(Prim::Int(t), u64::MAX >> (65 - t.bits())),
        BinOp::SMax(t) => Const::from_bits(Prim::Int(t), 1 << (t.bits() - 1)),
        BinOp::LogAnd => Const::Bool(true),
        BinOp::LogOr => Const::Bool(false),
        _ => return None,
    })
}
