//! What fits a thread of a kernel, and how deep a map nest is.

use crate::ir::traverse::for_each_block;
use crate::ir::varmap::VarSet;
use crate::ir::{Body, Class, Const, Exp, Lambda, Soac, Stm, StmAttr, SubExp, Type};

/// May one thread of a kernel run this? Calls and output may not stand in kernels.
pub(super) fn fits_thread(lambda: &Lambda) -> bool {
    all_exps(&lambda.body.stms, &mut |e| {
        !matches!(e.class(), Class::Call | Class::Trace | Class::Block)
    })
}

/// Is there work in a point beyond a few scalar operations?
pub(super) fn is_heavy(lambda: &Lambda) -> bool {
    !all_exps(&lambda.body.stms, &mut |e| !matches!(e, Exp::Soac(_) | Exp::Loop { .. }))
}

/// A handful of light points is not.
pub(super) fn worth_a_kernel(width: SubExp, lambda: &Lambda) -> bool {
    match width {
        SubExp::Const(Const::I64(n)) if n < 32 => is_heavy(lambda),
        SubExp::Const(_) | SubExp::Var(_) => true,
    }
}

fn all_exps(stms: &[Stm], ok: &mut dyn FnMut(&Exp) -> bool) -> bool {
    stms.iter().all(|s| {
        let mut fine = ok(&s.exp);
        for_each_block(&s.exp, &mut |b| fine = fine && all_exps(b, ok));
        fine
    })
}

/// If the body ends in a map that yields exactly the body's results, and all before it is cheap
/// enough to be done again by every thread: for each result, which result of the inner map it is.
///
/// `bound` is what the lambdas so far bind: the inner width must not depend on it.
pub(super) fn inner_map(body: &Body, bound: &VarSet) -> Option<Vec<usize>> {
    let (last, before) = body.stms.split_last()?;
    let Exp::Soac(Soac::Screma { width, inputs: _, lambda: _, scans, reduces }) = &last.exp else {
        return None;
    };
    let regular = match width {
        SubExp::Var(w) => {
            !bound.contains(w) && !before.iter().any(|s| s.pat.iter().any(|p| p.var == *w))
        }
        SubExp::Const(_) => true,
    };
    let sequential = last.has(StmAttr::Sequential);
    if !scans.is_empty() || !reduces.is_empty() || !regular || sequential {
        return None;
    }
    if !before.iter().all(cheap) {
        return None;
    }
    body.result.iter().map(|r| last.pat.iter().position(|p| SubExp::Var(p.var) == *r)).collect()
}

/// Scalar operations, views and checks.
fn cheap(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Match { cases, default, .. } => {
            let scalar = stm.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
            scalar
                && cases.iter().all(|(_, b)| b.stms.iter().all(cheap))
                && default.stms.iter().all(cheap)
        }
        // May have to copy.
        Exp::Reshape { .. } => false,
        e => matches!(
            e.class(),
            Class::Name | Class::Scalar | Class::Element | Class::View | Class::Check
        ),
    }
}
