//! Sums that loops accumulate: values of integers, of which every round combines its own element with what was there, in
//! whatever order.
//!
//! ```text
//! loop (…, c = c0) for i < n {          segred seq (i < n) (+) [0] {
//!   x = …                                 x = …
//!   s = c + x                             in (return x)
//!   … s …                               }
//!   in (…, s) }
//! ```
//!
//! What a range comes to can be reduced by itself, so that it is known what the loop has accumulated where a range begins.

use crate::ir::traverse::{any_exp, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, Builder, Const, Exp, IntType, KernelBody, KernelResult, LoopForm, Param, Prim,
    Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

const I64: IntType = IntType::I64;

/// A loop over the integers below a number.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub(crate) index: Var,
    pub(crate) n: SubExp,
    pub(crate) params: &'a [Param],
    pub(crate) init: &'a [SubExp],
    pub(crate) body: &'a Body,
}

/// A value that is accumulated.
pub(crate) struct Sum {
    /// Which parameter it is.
    pub(crate) at: usize,
    pub(crate) op: BinOp,
    pub(crate) element: SubExp,
    pub(crate) neutral: Const,
    /// What the first round begins with.
    pub(crate) init: SubExp,
    pub(crate) ty: Type,
}

/// What a loop accumulates.
pub(crate) struct Sums<'a> {
    pub(crate) rounds: Counted<'a>,
    pub(crate) all: Vec<Sum>,
    /// The statements that elements are computed by.
    pub(crate) elements: Vec<usize>,
}

impl<'a> Counted<'a> {
    pub(crate) fn find(s: &'a Stm) -> Option<Counted<'a>> {
        let Exp::Loop { params, init, form, body } = &s.exp else { return None };
        let LoopForm::For { var: index, ty: I64, bound: n } = *form else { return None };
        Some(Counted { index, n, params, init, body })
    }

    /// The statement of the body that defines a variable.
    pub(crate) fn defined(&self, v: Var) -> Option<usize> {
        self.body.stms.iter().position(|s| s.pat.iter().any(|p| p.var == v))
    }

    /// The statement that makes what a parameter is in the next round.
    pub(crate) fn next(&self, at: usize) -> Option<usize> {
        self.defined(self.body.result.get(at)?.var()?)
    }

    /// The sum that a parameter is.
    pub(crate) fn sum(&self, at: usize) -> Option<Sum> {
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
    pub(crate) fn sums(self, all: Vec<Sum>) -> Option<Sums<'a>> {
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
    pub(crate) fn adds(&self, ty: IntType) -> bool {
        self.op == BinOp::Add(ty)
    }

    pub(crate) fn operator(&self, neutral: SubExp, b: &mut Builder) -> Reduction {
        let params = [("x", self.ty.clone()), ("y", self.ty.clone())];
        let op = b.lambda(&params, |b, args| {
            args.iter().copied().reduce(|x, y| b.binop(self.op, x, y)).into_iter().collect()
        });
        Reduction { op, neutral: vec![neutral], commutative: true }
    }
}

impl Sums<'_> {
    /// The sums over the whole index space.
    pub(crate) fn reduction(&self, b: &mut Builder) -> SegOp {
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
    pub(crate) fn operators(&self, b: &mut Builder) -> Vec<Reduction> {
        self.all.iter().map(|s| s.operator(s.init, b)).collect()
    }

    pub(crate) fn types(&self) -> Vec<Type> {
        self.all.iter().map(|s| s.ty.clone()).collect()
    }

    /// Whether it may fail to compute elements, and all else.
    pub(crate) fn both_fail(&self) -> bool {
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
    pub(crate) fn begin_with(&self, starts: &[SubExp], init: &mut [SubExp]) {
        for (sum, start) in self.all.iter().zip(starts) {
            if let Some(x) = init.get_mut(sum.at) {
                *x = *start;
            }
        }
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
