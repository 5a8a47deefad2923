//! Which scans and writes are filters.

use super::filter::{Compacter, Filter, Written};
use super::places::{Bodies, Passed, if_then_else};
use crate::analysis::size_facts::SizeFacts;
use crate::ir::traverse::{for_each_block, free_in_exp, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, DimIndex, Exp, IntType, KernelBody, KernelResult, Poly, Reduction, SegKind, SegLevel,
    SegOp, Stm, SubExp, Type, Var,
};

impl Filter {
    /// The filter whose scan stands at `at`.
    pub(super) fn find(list: &[Stm], at: usize, c: &Compacter) -> Option<Filter> {
        let scan = list.get(at)?;
        let (n, body, width) = flags(&scan.exp)?;
        let made = |v: &Var| scan.pat.iter().any(|p| p.var == *v);
        let mut users = (at + 1..list.len())
            .filter(|&j| list.get(j).is_some_and(|s| free_in_stm(s).iter().any(made)));
        let mut counts: Vec<(Var, Option<Var>)> =
            scan.pat.iter().take(width).map(|p| (p.var, None)).collect();
        let mut counters = Vec::new();
        let writes = users.find(|&j| {
            let counter = list.get(j).and_then(|s| last_elements(s, &counts, n, &c.known));
            for (count, total) in counter.iter().flatten() {
                if let Some((_, end)) = counts.get_mut(*count) {
                    *end = end.or(Some(*total));
                }
            }
            counters.extend(counter.is_some().then_some(j));
            counter.is_none()
        })?;
        let writer = list.get(writes)?;
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body: writer_body }) =
            &writer.exp
        else {
            return None;
        };
        let [(i, m)] = space.dims.as_slice() else { return None };
        if *m != n {
            return None;
        }
        let passed = passed(writer_body, scan, *i, width)?;
        let index = (index_of(&scan.exp)?, *i, n);
        let bodies = Bodies::new(body, writer_body, &passed, &c.known, index, &counts);
        let mut writes_of = Vec::new();
        let mut buffers = Vec::new();
        for result in &writer_body.results {
            let KernelResult::Write { dest, writes: places } = result else { return None };
            let [(index, value)] = places.as_slice() else { return None };
            let ([index], value) = (index.as_slice(), *value) else { return None };
            let buffer = (0..writes).find(|&j| {
                list.get(j).is_some_and(|s| s.pat.first().is_some_and(|p| p.var == *dest))
            })?;
            let Exp::Scratch { shape, .. } = &list.get(buffer)?.exp else { return None };
            let [size] = shape.as_slice() else { return None };
            if !c.mentions.only_in(*dest, [writer]) {
                return None;
            }
            writes_of.push(Written { value, size: *size, parts: bodies.parts(*index, *size)? });
            buffers.push(buffer);
        }
        // What the scan makes is nobody else's.
        let all = || counters.iter().chain([&at, &writes]).filter_map(|j| list.get(*j));
        if buffers.is_empty()
            || body.results.len() != scan.pat.len()
            || !scan.pat.iter().all(|p| c.mentions.only_in(p.var, all()))
        {
            return None;
        }
        // What is made of the counts before the writes can be made after them.
        let mut ends: VarSet = counters
            .iter()
            .filter_map(|j| list.get(*j))
            .flat_map(|s| s.pat.iter().map(|p| p.var))
            .collect();
        let mut late = Vec::new();
        for j in at + 1..writes {
            let stm = list.get(j).filter(|_| !counters.contains(&j) && !buffers.contains(&j));
            let Some(stm) = stm else { continue };
            if !is_scalar(stm) {
                return None;
            }
            if free_in_stm(stm).iter().any(|v| ends.contains(v)) {
                ends.extend(stm.pat.iter().map(|p| p.var));
                late.push(j);
            }
        }
        let filter =
            Filter { scan: at, counters, late, buffers, writes, writes_of, passed, counts };
        let needed = filter.needed(writer_body);
        needed.iter().all(|s| !free_in_stm(s).iter().any(|v| ends.contains(v))).then_some(filter)
    }

    /// The statements of the writes' body without those that only the places need.
    pub(super) fn needed<'a>(&self, writer: &'a KernelBody) -> Vec<&'a Stm> {
        let mut needed: VarSet = self.writes_of.iter().filter_map(|w| w.value.var()).collect();
        let mut out = Vec::new();
        for s in writer.stms.iter().rev() {
            let bound = |v: &Var| s.pat.iter().any(|p| p.var == *v);
            if self.passed.iter().any(|(v, _)| bound(v)) {
                continue;
            }
            if !is_scalar(s) || s.pat.iter().any(|p| needed.contains(&p.var)) {
                needed.extend(free_in_stm(s));
                out.push(s);
            }
        }
        out.reverse();
        out
    }
}

/// What the body of the writes reads of the scan's results, each at the index of the writes.
fn passed(writer: &KernelBody, scan: &Stm, index: Var, width: usize) -> Option<Vec<(Var, Passed)>> {
    let mut passed = Vec::new();
    for stm in &writer.stms {
        let (Exp::Index { array, dims }, [element]) = (&stm.exp, stm.pat.as_slice()) else {
            if free_in_exp(&stm.exp).iter().any(|v| scan.pat.iter().any(|p| p.var == *v)) {
                return None;
            }
            continue;
        };
        if let Some(r) = scan.pat.iter().position(|p| p.var == *array) {
            if *dims != [DimIndex::Fix(index.into())] {
                return None;
            }
            let what = if r < width { Passed::Count(r) } else { Passed::Result(r) };
            passed.push((element.var, what));
        }
    }
    Some(passed)
}

/// The width and body of a scan of one dimension that counts, and how much it counts.
pub(super) fn flags(exp: &Exp) -> Option<(SubExp, &KernelBody, usize)> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Scan(ops), body }) = exp
    else {
        return None;
    };
    let [(_, n)] = space.dims.as_slice() else { return None };
    let width = ops.iter().map(|op| op.neutral.len()).sum();
    ops.iter().all(adds).then_some((*n, body, width))
}

/// The index of an operation over one dimension.
pub(super) fn index_of(exp: &Exp) -> Option<Var> {
    let Exp::Seg(SegOp { space, kind: SegKind::Scan(_) | SegKind::Map, .. }) = exp else {
        return None;
    };
    space.dims.first().map(|(i, _)| *i)
}

/// Whether an operator adds numbers, each to its own.
fn adds(op: &Reduction) -> bool {
    let (accumulators, operands) = op.op.params.split_at(op.neutral.len());
    let sums = accumulators.iter().zip(operands).zip(&op.op.body.result).all(|((a, x), r)| {
        let (a, x) = (a.var.into(), x.var.into());
        definition(&op.op.body.stms, *r).is_some_and(|s| match s.exp {
            Exp::BinOp(BinOp::Add(IntType::I64), p, q) => [p, q] == [a, x] || [p, q] == [x, a],
            _ => false,
        })
    });
    sums && op.neutral.iter().all(|ne| *ne == SubExp::i64(0))
        && op.op.body.stms.len() == op.neutral.len()
}

/// Which counts' last elements a statement yields under which names, if that is what it does; there
/// are `n` of each, and zero stands for the last of none.
pub(super) fn last_elements(
    stm: &Stm,
    counts: &[(Var, Option<Var>)],
    n: SubExp,
    known: &SizeFacts,
) -> Option<Vec<(usize, Var)>> {
    let last = |exp: &Exp| {
        let Exp::Index { array, dims } = exp else { return None };
        let [DimIndex::Fix(at)] = dims.as_slice() else { return None };
        let before = known.sum(*at) == known.sum(n).sub(&Poly::constant(1));
        counts.iter().position(|(c, _)| c == array).filter(|_| before)
    };
    let pat = stm.pat.iter().map(|p| p.var);
    if let [p] = stm.pat.as_slice()
        && let Some(count) = last(&stm.exp)
    {
        return Some(vec![(count, p.var)]);
    }
    let (condition, none, some) = if_then_else(&stm.exp)?;
    let nothing = none.stms.is_empty() && none.result.iter().all(|x| *x == SubExp::i64(0));
    let quiet = some.stms.iter().all(|s| is_scalar(s) || last(&s.exp).is_some());
    if !(nothing && quiet && known.says_zero(condition, n)) {
        return None;
    }
    let of = |x: &SubExp| definition(&some.stms, *x).and_then(|s| last(&s.exp));
    some.result.iter().zip(pat).map(|(x, v)| Some((of(x)?, v))).collect()
}

fn definition(stms: &[Stm], x: SubExp) -> Option<&Stm> {
    let v = x.var()?;
    stms.iter().find(|s| s.pat.iter().any(|p| p.var == v))
}

/// Code that reads and writes no array.
fn is_scalar(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Match { .. } => {
            let mut scalar = true;
            for_each_block(&stm.exp, &mut |b| scalar = scalar && b.iter().all(is_scalar));
            scalar
        }
        _ => {
            stm.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)))
                && matches!(
                    stm.exp,
                    Exp::SubExp(_)
                        | Exp::UnOp(..)
                        | Exp::BinOp(..)
                        | Exp::CmpOp(..)
                        | Exp::ConvOp(..)
                        | Exp::Math(..)
                )
        }
    }
}
