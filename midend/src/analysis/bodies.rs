//! What kind of code the bodies of segmented operations and operators are.

use crate::ir::traverse::{for_each_block, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, Const, ConvOp, Exp, KernelBody, KernelResult, Lambda, MathFn, Reduction, Stm,
    SubExp, Type,
};

/// Code without loops.
pub fn is_straight(stm: &Stm) -> bool {
    let mut straight = !matches!(stm.exp, Exp::Loop { .. } | Exp::Seg(_) | Exp::Call { .. });
    for_each_block(&stm.exp, &mut |b| straight = straight && b.iter().all(is_straight));
    straight
}

/// Whether all results are collected, and none is written to a place that is computed.
pub fn returns(body: &KernelBody) -> bool {
    body.results.iter().all(|r| matches!(r, KernelResult::Return(_)))
}

/// How many results of a body go to operators.
pub fn results_of(ops: &[Reduction]) -> usize {
    ops.iter().map(|r| r.neutral.len()).sum()
}

/// Statements, also those below others.
pub fn size(stms: &[Stm]) -> usize {
    stms.iter().fold(stms.len(), |n, stm| {
        let mut below = 0;
        for_each_block(&stm.exp, &mut |b| below += size(b));
        n + below
    })
}

/// How many statements an operator has that can be applied to whole vectors, lane by lane: it computes
/// both sides of branches, and lanes choose. Nothing if it cannot.
pub fn lanewise_size(op: &Lambda) -> Option<usize> {
    lanewise_body(&op.body)
}

fn lanewise_body(body: &Body) -> Option<usize> {
    body.stms.iter().try_fold(0, |n, s| Some(n + lanewise_stm(s)?))
}

fn lanewise_stm(stm: &Stm) -> Option<usize> {
    let scalars = stm.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
    if !scalars || !stm.certs.is_empty() {
        return None;
    }
    match &stm.exp {
        Exp::SubExp(_) => Some(0),
        Exp::UnOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) => Some(1),
        Exp::BinOp(op, ..) => match op {
            // Lanes that do not want a quotient may have no divisor for it.
            BinOp::FMod(_) | BinOp::FPow(_) => None,
            op if op.is_partial() => None,
            _ => Some(1),
        },
        Exp::Match { cases, default, .. } => match cases.as_slice() {
            [(Const::Bool(_), case)] => {
                Some(stm.pat.len() + lanewise_body(case)? + lanewise_body(default)?)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Scalar arithmetic, and branches over such.
pub fn is_arithmetic(stm: &Stm) -> bool {
    let mut pure = match &stm.exp {
        Exp::BinOp(op, ..) => !matches!(op, BinOp::Pow(_) | BinOp::FMod(_) | BinOp::FPow(_)),
        Exp::SubExp(_) | Exp::CmpOp(..) | Exp::ConvOp(..) | Exp::UnOp(..) => true,
        Exp::Match { .. } => true,
        _ => false,
    };
    for_each_block(&stm.exp, &mut |b| pure = pure && b.iter().all(is_arithmetic));
    pure
}

/// Whether every result is an operation on its part of the accumulators and its part of the elements.
pub fn is_accumulated_by_parts(op: &Reduction) -> bool {
    let (params, body) = (&op.op.params, &op.op.body);
    let k = body.result.len();
    let part = |i: usize, stm: &Stm| {
        let (Exp::BinOp(_, a, b), Some(acc), Some(x)) =
            (&stm.exp, params.get(i), params.get(k + i))
        else {
            return false;
        };
        let operands = [*a, *b];
        operands.contains(&acc.var.into()) && operands.contains(&x.var.into())
    };
    body.result.iter().enumerate().all(|(i, result)| {
        let made = |stm: &&Stm| stm.pat.first().is_some_and(|p| SubExp::Var(p.var) == *result);
        body.stms.iter().find(made).is_some_and(|stm| part(i, stm))
    })
}

/// Whether a statement takes longer point by point than keeping what it makes: processors have no instruction for conversions
/// that saturate, nor for mathematical functions. Other arithmetic goes on while something else is waited for.
pub fn takes_long(s: &Stm) -> bool {
    match &s.exp {
        Exp::ConvOp(ConvOp::FPToSI(..) | ConvOp::FPToUI(..), _) => true,
        Exp::Math(f, ..) => !matches!(f, MathFn::Sqrt),
        Exp::BinOp(op, ..) => op.is_slow(),
        _ => false,
    }
}

/// Whether elements are read where other elements say, or what follows from some variables.
pub fn reads_from_anywhere<'a>(stms: impl IntoIterator<Item = &'a Stm>, known: VarSet) -> bool {
    let mut read = known;
    stms.into_iter().any(|s| {
        let depends = free_in_stm(s).iter().any(|v| read.contains(v));
        let reads = matches!(s.exp, Exp::Index { .. });
        if depends || reads {
            read.extend(s.pat.iter().map(|p| p.var));
        }
        depends && reads
    })
}
