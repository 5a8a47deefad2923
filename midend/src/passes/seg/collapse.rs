//! Nests of sequential operations become one operation over the space of both.
//!
//! ```text
//! segmap seq (i < n) {                      segred seq (i < n, j < m) op … {
//!   a = exp(xs[i])                            a = exp(xs[i])
//!   r = segred seq (j < m) op … {    →        x = yss[i, j]
//!     x = yss[i, j]                           t = a * x
//!     t = a * x                               in (return t)
//!     in (return t)                         }
//!   }
//!   in (return r)
//! }
//! ```
//!
//! Rows then need no place of their own that they would be copied from, and code generation sees
//! the whole nest when it chooses an order of loops. It evaluates each statement at the outermost
//! loop that binds what the statement needs, so nothing is computed more often than before.
//!
//! Before that, checks that do not depend on the point leave their operation, to be made if there
//! are points at all: what stood between two operations may then be scalar code.
//!
//! ```text
//! segmap seq (i < n) {               e = eq.i64(n, 0)
//!   c = assert(ok, …)          →     t = logor(ok, e)
//!   …                                c = assert(t, …)
//! }                                  segmap seq (i < n) { … }
//! ```
//!
//! Collapsed is an outer map whose body is scalar code and one inner map, reduction or scan that
//! yields just the results of the body. Refused are: inner sizes, operators or neutral elements
//! that depend on the outer index; writes; checks in the outer body, which an empty inner space
//! would skip; reductions of what is computed without arrays, which go by lanes ([`crate::analysis::lanes`])
//! where they are short; reductions with loops inside of which points of the map go by lanes and theirs do not; and anything on a device, where nests have been taken apart already.
//!
//! One walk, innermost first: linear.

use crate::analysis::bodies::is_straight;
use crate::analysis::contraction::scalar_code;
use crate::analysis::lanes::{expected_lanes, expected_lanes_of, short_sums};
use crate::ir::traverse::{for_each_block_mut, free_in_lambda, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, CmpOp, Const, Exp, KernelBody, KernelResult, Level, Loc, NameSource, PatElem, Prim,
    Program, Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Collapses every nest it can.
pub fn collapse(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut names = NameSource::new(prog.next_tag);
        stms(&mut prog.consts.stms, &mut names);
        for f in &mut prog.funs {
            stms(&mut f.body.stms, &mut names);
        }
        prog.next_tag = names.next_tag();
    }
    prog
}

fn stms(list: &mut Vec<Stm>, names: &mut NameSource) {
    for mut stm in std::mem::take(list) {
        for_each_block_mut(&mut stm.exp, &mut |b| stms(b, names));
        release_checks(&mut stm, names, list);
        nest(&mut stm);
        list.push(stm);
    }
}

/// Moves checks that are the same at every point out of an operation.
fn release_checks(stm: &mut Stm, names: &mut NameSource, out: &mut Vec<Stm>) {
    let (certs, loc) = (stm.certs.clone(), stm.loc);
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, body, .. }) = &mut stm.exp else {
        return;
    };
    let mut bound: VarSet = space.dims.iter().map(|(v, _)| *v).collect();
    let mut emptiness = None;
    for mut s in std::mem::take(&mut body.stms) {
        let same = free_in_stm(&s).iter().all(|v| !bound.contains(v));
        match &mut s.exp {
            Exp::Assert { cond, .. } if same => {
                let empty = *emptiness.get_or_insert_with(|| is_empty(space, names, loc, out));
                *cond = or(*cond, empty, names, loc, out);
                s.certs.extend(certs.iter().copied());
                out.push(s);
            }
            // What the checks of operations further inside have left here.
            Exp::CmpOp(CmpOp::Eq(_), ..) | Exp::BinOp(BinOp::LogOr, ..)
                if same && s.certs.is_empty() =>
            {
                out.push(s);
            }
            _ => {
                bound.extend(s.pat.iter().map(|p| p.var));
                body.stms.push(s);
            }
        }
    }
}

/// Whether a space has no points.
fn is_empty(
    space: &SegSpace,
    names: &mut NameSource,
    loc: Option<Loc>,
    out: &mut Vec<Stm>,
) -> SubExp {
    let mut empty = SubExp::bool(false);
    for (_, n) in &space.dims {
        let none = match n {
            SubExp::Const(c) => SubExp::bool(c.as_int() == Some(0)),
            SubExp::Var(_) => {
                let exp = Exp::CmpOp(CmpOp::Eq(Prim::I64), *n, SubExp::i64(0));
                scalar("empty", exp, names, loc, out)
            }
        };
        empty = or(empty, none, names, loc, out);
    }
    empty
}

fn or(
    a: SubExp,
    b: SubExp,
    names: &mut NameSource,
    loc: Option<Loc>,
    out: &mut Vec<Stm>,
) -> SubExp {
    match (a, b) {
        (SubExp::Const(Const::Bool(false)), x) | (x, SubExp::Const(Const::Bool(false))) => x,
        _ => scalar("ok", Exp::BinOp(BinOp::LogOr, a, b), names, loc, out),
    }
}

fn scalar(
    base: &str,
    exp: Exp,
    names: &mut NameSource,
    loc: Option<Loc>,
    out: &mut Vec<Stm>,
) -> SubExp {
    let var = names.fresh(base);
    let pat = vec![PatElem::new(var, Type::Prim(Prim::Bool))];
    out.push(Stm { schedule: None, pat, exp, certs: Vec::new(), attrs: Vec::new(), loc });
    var.into()
}

/// The operation and how many of its results are folded along the innermost dimension.
fn parts(op: &SegOp) -> Option<(&SegSpace, &[Reduction], &KernelBody)> {
    match op {
        SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body } => Some((space, &[], body)),
        SegOp {
            level: SegLevel::Seq,
            space,
            kind: SegKind::Red(ops) | SegKind::Scan(ops),
            body,
        } => Some((space, ops, body)),
        _ => None,
    }
}

/// Makes one operation of an operation in another.
fn nest(stm: &mut Stm) {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &mut stm.exp
    else {
        return;
    };
    let Some(order) = perfect(space, body) else { return };
    if (short_sums(body) || loops_in_reduction(body))
        && space.dims.last().is_some_and(|(i, _)| expected_lanes(*i, body, true).is_some())
    {
        return;
    }
    let Some(inner) = body.stms.pop() else { return };
    let Exp::Seg(mut op) = inner.exp else { return };
    let SegOp { space: inner_space, body: inner_body, .. } = &mut op;
    let dims = space.dims.iter().chain(&inner_space.dims).copied().collect();
    *inner_space = SegSpace { dims };
    let mut all = std::mem::take(&mut body.stms);
    all.append(&mut inner_body.stms);
    inner_body.stms = all;
    // The results of the inner operation have an order of their own.
    let mut pat: Vec<_> = order.iter().map(|_| None).collect();
    for (outer, slot) in stm.pat.drain(..).zip(&order) {
        if let Some(place) = pat.get_mut(*slot) {
            *place = Some(outer);
        }
    }
    stm.pat = pat.into_iter().flatten().collect();
    stm.certs.extend(inner.certs);
    for attr in inner.attrs {
        if !stm.attrs.contains(&attr) {
            stm.attrs.push(attr);
        }
    }
    stm.exp = Exp::Seg(op);
}

/// Whether the body's operation is a reduction with loops inside, which does not go by lanes itself.
fn loops_in_reduction(body: &KernelBody) -> bool {
    let Some(Stm { exp: Exp::Seg(op), .. }) = body.stms.last() else { return false };
    matches!(op.kind, SegKind::Red(_))
        && !op.body.stms.iter().all(is_straight)
        && expected_lanes_of(op).is_none()
}

/// If the body is scalar code and one operation that yields the body's results: for each of them,
/// which result of that operation it is.
fn perfect(space: &SegSpace, body: &KernelBody) -> Option<Vec<usize>> {
    let (inner, before) = body.stms.split_last()?;
    let Exp::Seg(op) = &inner.exp else { return None };
    let (inner_space, ops, inner_body) = parts(op)?;
    if !before.iter().all(scalar_code) || body.results.len() != inner.pat.len() {
        return None;
    }
    let returns = |r: &KernelResult| matches!(r, KernelResult::Return(_));
    if !inner_body.results.iter().all(returns) {
        return None;
    }
    let mut order = Vec::with_capacity(body.results.len());
    for result in &body.results {
        let KernelResult::Return(SubExp::Var(v)) = result else { return None };
        let slot = inner.pat.iter().position(|p| p.var == *v)?;
        if order.contains(&slot) {
            return None;
        }
        order.push(slot);
    }
    let bound: VarSet = space
        .dims
        .iter()
        .map(|(v, _)| *v)
        .chain(before.iter().flat_map(|s| s.pat.iter().map(|p| p.var)))
        .collect();
    let free = |v: &Var| !bound.contains(v);
    let regular = inner_space.dims.iter().all(|(_, n)| n.var().as_ref().is_none_or(free));
    let types = inner_body.types.iter().flat_map(|t| t.shape());
    let regular = regular && types.into_iter().all(|n| n.var().as_ref().is_none_or(free));
    let same = ops.iter().all(|r| {
        r.neutral.iter().all(|x| x.var().as_ref().is_none_or(free))
            && free_in_lambda(&r.op).iter().all(free)
    });
    (regular && same && inner.certs.iter().all(free)).then_some(order)
}
