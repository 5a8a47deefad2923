//! Products of matrices leave the maps that do something else with their elements.
//!
//! ```text
//! segmap seq (i < n, j < p) {             ts = segred seq (i' < n, j' < p, k < m) op … {
//!   c = index cs[i, j]                      x = index a[i', k]
//!   t = segred seq (k < m) op … {           y = index b[k, j']
//!     x = index a[i, k]                     …
//!     y = index b[k, j]          →        }
//!     …                                   segmap seq (i < n, j < p) {
//!   }                                       c = index cs[i, j]
//!   r = t + c                               t = index ts[i, j]
//!   in (return r)                           r = t + c
//! }                                         in (return r)
//!                                         }
//! ```
//!
//! What is gained is cache blocking and registers for the product ([`contraction`]); what it costs
//! is an array of its results. So only contractions leave, and of constant size only large ones;
//! and reductions that much straight code follows, as LLVM makes vectors of that when there is no
//! loop in it. Linear, but for the copies of the scalar code that a product needs.

use crate::ir::contraction::{contraction, scalar_code};
use crate::ir::traverse::{
    for_each_block, for_each_block_mut, free_in_exp, free_in_lambda, rename_exp,
};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Const, DimIndex, Exp, KernelBody, Level, NameSource, PatElem, Program, SegLevel, SegOp,
    SegSpace, Stm, SubExp, Type, Var,
};

/// Below this many multiplications of constant number, a product stays where it is.
const LEAST: i64 = 8192;
/// So many statements of straight code are better off without a reduction before them.
const MUCH: usize = 40;

/// Takes products of matrices out of maps.
pub fn split(mut prog: Program) -> Program {
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
        take_out(&mut stm, names, list);
        list.push(stm);
    }
}

/// Puts the products in the body of a map before it.
fn take_out(stm: &mut Stm, names: &mut NameSource, out: &mut Vec<Stm>) {
    let Exp::Seg(SegOp::Map { level: SegLevel::Seq, space, body }) = &mut stm.exp else { return };
    let mut bound: VarMap<Option<usize>> = space.dims.iter().map(|(v, _)| (*v, None)).collect();
    let reduction = before_much(&body.stms);
    for at in 0..body.stms.len() {
        if let Some(product) = product(space, &body.stms, at, &bound, reduction == Some(at)) {
            let Some(inner) = body.stms.get_mut(at) else { return };
            let [element] = inner.pat.as_slice() else { return };
            let Type::Prim(elem) = element.ty else { return };
            let shape: Vec<SubExp> = space.dims.iter().map(|d| d.1).collect();
            let array = names.like(element.var);
            let pat = vec![PatElem::new(array, Type::array(elem, shape))];
            let certs = stm.certs.iter().chain(&inner.certs).copied().collect();
            out.push(Stm {
                pat,
                exp: rename_exp(&product, names),
                certs,
                attrs: Vec::new(),
                loc: inner.loc,
            });
            let here = space.dims.iter().map(|(v, _)| DimIndex::Fix((*v).into())).collect();
            inner.exp = Exp::Index { array, dims: here };
            inner.certs.clear();
        }
        let binders = body.stms.get(at).into_iter().flat_map(|s| &s.pat);
        bound.extend(binders.map(|p| (p.var, Some(at))));
    }
}

/// The only loop of a body, if that is a reduction and much straight code comes after it.
fn before_much(body: &[Stm]) -> Option<usize> {
    let at = body.iter().position(|s| matches!(s.exp, Exp::Seg(_)))?;
    let (before, rest) = body.split_at_checked(at)?;
    let (_, after) = rest.split_first()?;
    (straight(before).is_some() && straight(after)? >= MUCH).then_some(at)
}

/// How many statements of scalar code there are; nothing if there is other code.
fn straight(stms: &[Stm]) -> Option<usize> {
    stms.iter().try_fold(0, |n, s| {
        let scalars = s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
        let mut below = Some(0);
        match &s.exp {
            Exp::Match { .. } if scalars => for_each_block(&s.exp, &mut |b| {
                below = below.zip(straight(b)).map(|(n, m)| n + m);
            }),
            _ if !scalar_code(s) => return None,
            _ => {}
        }
        Some(n + 1 + below?)
    })
}

/// The statement at `at` of the body of a map as an operation of its own, if it is a contraction, or
/// any reduction where `any` is wanted, of which only scalar code stands before.
fn product(
    space: &SegSpace,
    body: &[Stm],
    at: usize,
    bound: &VarMap<Option<usize>>,
    any: bool,
) -> Option<Exp> {
    let stm = body.get(at)?;
    let Exp::Seg(SegOp::Red { level: SegLevel::Seq, space: inner, ops, body: points }) = &stm.exp
    else {
        return None;
    };
    if stm.certs.iter().any(|c| bound.contains_key(c)) {
        return None;
    }
    let mut needed: VarSet = VarSet::default();
    let mut pending: Vec<Var> = free_in_exp(&stm.exp);
    while let Some(v) = pending.pop() {
        let Some(Some(at)) = bound.get(&v) else { continue };
        let definition = body.get(*at)?;
        if !scalar_code(definition) || definition.certs.iter().any(|c| bound.contains_key(c)) {
            return None;
        }
        if needed.insert(v) {
            pending.extend(free_in_exp(&definition.exp));
        }
    }
    // Sizes, operators and neutral elements stand outside.
    let outside = |x: &SubExp| x.var().is_none_or(|v| !bound.contains_key(&v));
    let operators = ops.iter().all(|r| {
        r.neutral.iter().all(outside)
            && free_in_lambda(&r.op).iter().all(|v| !bound.contains_key(v))
    });
    if !operators || !inner.dims.iter().all(|(_, n)| outside(n)) {
        return None;
    }
    let before = body.iter().take(at).filter(|s| s.pat.iter().any(|p| needed.contains(&p.var)));
    let dims: Vec<_> = space.dims.iter().chain(&inner.dims).copied().collect();
    let space = SegSpace { dims };
    let points = KernelBody {
        stms: before.chain(&points.stms).cloned().collect(),
        results: points.results.clone(),
        types: points.types.clone(),
    };
    let whole = || {
        Exp::Seg(SegOp::Red {
            level: SegLevel::Seq,
            space: space.clone(),
            ops: ops.clone(),
            body: points.clone(),
        })
    };
    if any && ops.len() == 1 && stm.pat.len() == 1 {
        return Some(whole());
    }
    let c = contraction(&space, ops, &points)?;
    let size = |d: usize| match space.dims.get(d) {
        Some((_, SubExp::Const(Const::I64(n)))) => Some(*n),
        _ => None,
    };
    if let (Some(n), Some(m), Some(k)) = (size(c.row), size(c.column), size(c.depth))
        && n.saturating_mul(m).saturating_mul(k) < LEAST
    {
        return None;
    }
    Some(whole())
}
