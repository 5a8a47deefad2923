//! The last elements of scans that a loop could compute, as reductions of their own.
//!
//! ```text
//! (s, b) = segscan (i < n) op [0] (+) { … }        k = segred (i < n) op [0] (+) { … }
//! k = if n == 0 { 0 } else { index s[n - 1] }  →   (s, b) = segscan (i < n) op [0] (+) { … }
//! r = segmap (i < n) {                             r = segmap (i < n) {
//!   … k … s[i] … b[i] …                              … k … s[i] … b[i] …
//!   in (write d {[j] = x}) }                         in (write d {[j] = x}) }
//! ```
//!
//! A pass of a radix sort by several bits counts the elements of each digit by a scan, and needs the totals before it can say where
//! the first element goes. Nothing but that keeps the scan from the loop that writes ([`super::fuse_scan()`]), and it is stored:
//! a word for each element and digit. To go over the elements twice takes less, where what is scanned is computed in a few operations.
//!
//! In the map, selections by integers become chains of comparisons, their sides computed before: digits are in no order that a
//! processor could predict.
//!
//! Cost: linear in the program, but for one walk over the rest of its list for each scan of sums of integers, and a copy of
//! the counts of mentions for each of those whose last element is read.

use super::fuse_scan::{of_integers, only_writes};
use super::in_turn::{all_read_in_turn, map_of};
use crate::analysis::alias::Aliases;
use crate::ir::traverse::{
    Renamer, Rewrite, Visit, for_each_block_mut, free_in_exp, rewrite, walk,
};
use crate::ir::varmap::VarMap;
use crate::ir::{
    BinOp, Body, CmpOp, Const, Defs, DimIndex, Exp, KernelBody, KernelResult, Lambda, Level,
    Mentions, NameSource, Param, PatElem, Poly, Prim, Program, Reduction, SegKind, SegLevel, SegOp,
    Stm, SubExp, Type, Var,
};

/// Points that compute more are gone over once.
const MOST_STATEMENTS: usize = 24;
/// Selections between more are left as they are.
const MOST_CASES: usize = 8;
/// As are those of which a side computes more.
const MOST_IN_SIDE: usize = 4;

/// Gives the last elements of scans reductions of their own, if scans can then go into loops.
pub fn reduce_last(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut r = ReduceLast {
        aliases: Aliases::of_program(&prog),
        mentions: Mentions::of_program(&prog),
        sums: Defs::of_program(&prog),
        names: NameSource::new(prog.next_tag),
    };
    r.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        r.list(&mut f.body.stms);
    }
    prog.next_tag = r.names.next_tag();
    prog
}

struct ReduceLast {
    aliases: Aliases,
    mentions: Mentions,
    sums: Defs,
    names: NameSource,
}

impl ReduceLast {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut at = 0;
        while let Some((scan, rest)) = stms.get_mut(at..).and_then(<[Stm]>::split_first_mut) {
            let reduction = self.reduction(scan, rest);
            at += 1;
            if let Some(reduction) = reduction {
                stms.insert(at - 1, reduction);
                at += 1;
            }
        }
        for s in stms {
            if !matches!(s.exp, Exp::Seg(_)) {
                for_each_block_mut(&mut s.exp, &mut |stms| self.list(stms));
            }
        }
    }

    /// What a scan's last elements come to, which stand in place of their reads in `rest` then, if that lets the scan go into a map
    /// that writes.
    fn reduction(&mut self, scan: &mut Stm, rest: &mut [Stm]) -> Option<Stm> {
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Scan(ops), body }) =
            &scan.exp
        else {
            return None;
        };
        let &[(_, n)] = space.dims.as_slice() else { return None };
        let ops = ops.iter().map(components).collect::<Option<Vec<_>>>()?.concat();
        let scanned = ops.len();
        let cheap = |s: &Stm| {
            matches!(
                s.exp,
                Exp::BinOp(..)
                    | Exp::UnOp(..)
                    | Exp::CmpOp(..)
                    | Exp::ConvOp(..)
                    | Exp::Index { .. }
                    | Exp::SubExp(_)
            )
        };
        let may_be = scan.attrs.is_empty()
            && scan.schedule.is_none()
            && ops.iter().all(of_integers)
            && body.stms.len() <= MOST_STATEMENTS
            && body.stms.iter().all(cheap)
            && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)))
            && scan.pat.iter().all(|p| p.ty.rank() == 1);
        if !may_be {
            return None;
        }
        let last = self.sums.expand(&Poly::leaf(n).sub(&Poly::constant(1)));
        let arrays: VarMap<usize> =
            scan.pat.iter().take(scanned).enumerate().map(|(k, p)| (p.var, k)).collect();
        let mut lasts = Lasts { arrays: &arrays, sums: &self.sums, last: &last, found: Vec::new() };
        rest.iter().for_each(|s| lasts.stm(s));
        let found = lasts.found;
        if found.is_empty() {
            return None;
        }
        let mut mentions = self.mentions.clone();
        found.iter().for_each(|s| mentions.forget(s));
        let reader = rest.iter_mut().find(|s| {
            map_of(s).is_some_and(|(var, bound, body)| {
                bound == n && only_writes(body) && all_read_in_turn(s, var, scan, &mentions)
            })
        })?;
        if free_in_exp(&scan.exp).iter().any(|v| self.is_consumed(*v)) {
            return None;
        }
        if let Exp::Seg(SegOp { kind, .. }) = &mut scan.exp {
            *kind = SegKind::Scan(ops);
        }
        if let Exp::Seg(op) = &mut reader.exp {
            Selections(&mut self.names).kernel_body(&mut op.body);
        }
        let (stm, totals) = self.total(scan, scanned);
        let mut reads = Totals { arrays: &arrays, sums: &self.sums, last: &last, totals };
        rest.iter_mut().for_each(|s| reads.stm(s));
        Some(stm)
    }

    fn is_consumed(&mut self, v: Var) -> bool {
        self.aliases.id(v).is_some() && self.aliases.consumed(v)
    }

    /// The reduction of what is scanned, and its results.
    fn total(&mut self, scan: &Stm, scanned: usize) -> (Stm, Vec<Var>) {
        let mut exp = scan.exp.clone();
        if let Exp::Seg(SegOp { kind, body: KernelBody { results, types, .. }, .. }) = &mut exp {
            if let SegKind::Scan(ops) = kind {
                let mut ops = std::mem::take(ops);
                ops.iter_mut().for_each(|op| op.commutative = true);
                *kind = SegKind::Red(ops);
            }
            results.truncate(scanned);
            types.truncate(scanned);
        }
        Renamer::new(&mut self.names).exp(&mut exp);
        let total = |p: &PatElem| {
            let ty = p.ty.elem().map_or(Type::I64, Type::Prim);
            PatElem::new(self.names.like(p.var), ty)
        };
        let pat: Vec<PatElem> = scan.pat.iter().take(scanned).map(total).collect();
        let totals = pat.iter().map(|p| p.var).collect();
        (Stm { pat, exp, ..scan.clone() }, totals)
    }
}

/// An operator that does something with each pair of its operands by itself, as an operator for each pair.
fn components(op: &Reduction) -> Option<Vec<Reduction>> {
    let (accumulators, elements) = op.op.params.split_at(op.neutral.len());
    let body = &op.op.body;
    let component = |(k, (acc, x)): (usize, (&Param, &Param))| {
        let result = *body.result.get(k)?;
        let made = body.stms.iter().find(|s| s.pat.iter().any(|p| result == p.var.into()))?;
        let Exp::BinOp(_, a, b) = made.exp else { return None };
        let operands: [SubExp; 2] = [acc.var.into(), x.var.into()];
        let body = Body { stms: vec![made.clone()], result: vec![result] };
        let ret = vec![op.op.ret.get(k)?.clone()];
        let lambda = Lambda { params: vec![acc.clone(), x.clone()], body, ret };
        let neutral = vec![*op.neutral.get(k)?];
        let alone = operands.contains(&a) && operands.contains(&b);
        alone.then_some(Reduction { op: lambda, neutral, commutative: op.commutative })
    };
    accumulators.iter().zip(elements).enumerate().map(component).collect()
}

/// Whether an expression is the last element of one of some arrays: which.
fn is_last(e: &Exp, arrays: &VarMap<usize>, last: &Poly, sums: &Defs) -> Option<usize> {
    let Exp::Index { array, dims } = e else { return None };
    let [DimIndex::Fix(at)] = dims.as_slice() else { return None };
    let k = arrays.get(array)?;
    (sums.expand(&Poly::leaf(*at)) == *last).then_some(*k)
}

/// Finds the reads of last elements.
struct Lasts<'a> {
    arrays: &'a VarMap<usize>,
    sums: &'a Defs,
    last: &'a Poly,
    found: Vec<Stm>,
}

impl Visit for Lasts<'_> {
    fn stm(&mut self, s: &Stm) {
        if is_last(&s.exp, self.arrays, self.last, self.sums).is_some() {
            self.found.push(s.clone());
        }
        walk::stm(self, s);
    }
}

/// Puts totals in their place.
struct Totals<'a> {
    arrays: &'a VarMap<usize>,
    sums: &'a Defs,
    last: &'a Poly,
    totals: Vec<Var>,
}

impl Rewrite for Totals<'_> {
    fn stm(&mut self, s: &mut Stm) {
        let k = is_last(&s.exp, self.arrays, self.last, self.sums);
        if let Some(total) = k.and_then(|k| self.totals.get(k)) {
            s.exp = Exp::SubExp((*total).into());
        }
        rewrite::stm(self, s);
    }
}

/// Makes selections by integers chains of comparisons.
struct Selections<'n>(&'n mut NameSource);

impl Rewrite for Selections<'_> {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        for s in std::mem::take(stms) {
            match self.chain(&s) {
                Some(chain) => stms.extend(chain),
                None => stms.push(s),
            }
        }
    }
}

impl Selections<'_> {
    fn chain(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Match { scrutinee, cases, default } = &s.exp else { return None };
        let [p] = s.pat.as_slice() else { return None };
        let Type::Prim(Prim::Int(_)) = p.ty else { return None };
        let (Const::I8(_) | Const::I16(_) | Const::I32(_) | Const::I64(_)) = cases.first()?.0
        else {
            return None;
        };
        let cheap = |b: &Body| {
            let sums = |s: &Stm| {
                let op =
                    matches!(s.exp, Exp::BinOp(BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_), ..));
                op && s.certs.is_empty()
            };
            b.stms.len() <= MOST_IN_SIDE && b.stms.iter().all(sums)
        };
        if cases.len() > MOST_CASES || !cases.iter().all(|c| cheap(&c.1)) || !cheap(default) {
            return None;
        }
        let mut out: Vec<Stm> = default.stms.clone();
        let mut value = *default.result.first()?;
        for (k, (constant, body)) in cases.iter().enumerate().rev() {
            out.extend(body.stms.iter().cloned());
            let cond = self.0.fresh("is");
            let compared =
                Exp::CmpOp(CmpOp::Eq(constant.prim()), *scrutinee, SubExp::Const(*constant));
            out.push(Stm {
                loc: s.loc,
                ..Stm::new(vec![PatElem::new(cond, Type::BOOL)], compared)
            });
            let var = if k == 0 { p.var } else { self.0.fresh("selected") };
            let one = |x| Body { stms: Vec::new(), result: vec![x] };
            let cases = vec![(Const::Bool(true), one(*body.result.first()?))];
            let exp = Exp::Match { scrutinee: cond.into(), cases, default: one(value) };
            out.push(Stm { pat: vec![PatElem { var, ..p.clone() }], exp, ..s.clone() });
            value = var.into();
        }
        Some(out)
    }
}
