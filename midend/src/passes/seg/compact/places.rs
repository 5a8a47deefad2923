//! Where the writes that follow a scan of flags go, by what the flags are.
//!
//! A filter writes what it keeps at `c - 1`, where `c` counts up to and including the element, and
//! the rest nowhere. A partition writes the rest as well, behind what is kept:
//!
//! ```text
//! j = if p then c - 1 else k + i - c
//! ```
//!
//! The conditions that the place depends on are few, so all their outcomes can be gone through. In
//! each, the flags are zero or one and the place is a sum: of what is the same for all elements,
//! where a part of the destination begins, and of counts and the index, how far into it the element
//! goes. That the latter grows by one with each element of the part and by nothing with others is
//! then a matter of adding up.

use crate::analysis::size_facts::SizeFacts;
use crate::ir::traverse::for_each_block;
use crate::ir::varmap::VarMap;
use crate::ir::{
    BinOp, Body, CmpOp, Const, ConvOp, Exp, IntType, KernelBody, KernelResult, Poly, Prim, Stm,
    SubExp, UnOp, Var,
};

/// Conditions of which all outcomes are gone through.
const CONDITIONS: usize = 4;

/// What the body of the writes reads of what the scan has made.
#[derive(Clone, Copy)]
pub(super) enum Passed {
    /// A result of the scan's body that is collected.
    Result(usize),
    /// The count up to and including this element.
    Count(usize),
}

/// A part of a destination.
pub(super) struct Partition {
    /// Where it begins.
    pub(super) start: Poly,
    /// How many elements of it there are before the one at hand: a sum of [`Bodies::counts`], as
    /// they are before it, and of the index.
    pub(super) before: Poly,
    /// How many there are in all.
    pub(super) total: Poly,
}

/// The bodies of the scan and of the writes, and what is around them.
pub(super) struct Bodies<'a> {
    pub(super) scan: &'a KernelBody,
    pub(super) passed: &'a [(Var, Passed)],
    pub(super) known: &'a SizeFacts,
    /// The index and the number of elements.
    pub(super) index: (Var, SubExp),
    /// What stands for the counts before an element, and the counts in the end.
    pub(super) counts: &'a [(Var, Option<Var>)],
    /// The statements of both bodies, and those within them, by what they bind.
    stms: VarMap<(&'a Exp, usize)>,
    other_index: Var,
}

/// Why there is no value: this must be known first.
struct Ask(Var);

type Outcomes = Vec<(Var, bool)>;

impl<'a> Bodies<'a> {
    pub(super) fn new(
        scan: &'a KernelBody,
        writer: &'a KernelBody,
        passed: &'a [(Var, Passed)],
        known: &'a SizeFacts,
        index: (Var, Var, SubExp),
        counts: &'a [(Var, Option<Var>)],
    ) -> Bodies<'a> {
        fn gather<'a>(list: &'a [Stm], out: &mut VarMap<(&'a Exp, usize)>) {
            for s in list {
                out.extend(s.pat.iter().enumerate().map(|(at, p)| (p.var, (&s.exp, at))));
                if matches!(s.exp, Exp::Match { .. }) {
                    for_each_block(&s.exp, &mut |b| gather(b, out));
                }
            }
        }
        let mut stms = VarMap::default();
        gather(&scan.stms, &mut stms);
        gather(&writer.stms, &mut stms);
        let (i, other_index, n) = index;
        Bodies { scan, passed, known, index: (i, n), counts, stms, other_index }
    }

    /// The parts of a destination of `size` elements to which what is written at `place` goes, in
    /// the order in which they lie there. They are all of it.
    pub(super) fn parts(&self, place: SubExp, size: SubExp) -> Option<Vec<Partition>> {
        let rows = self.rows(place)?;
        let mut parts: Vec<(Poly, Poly)> = Vec::new();
        for (place, _) in &rows {
            if !is_nowhere(place) {
                let part = self.split(place)?;
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        for (start, before) in &parts {
            let whole = start.add(before);
            for (place, flags) in &rows {
                let grows = before.eval(&|v| self.growth(v, flags));
                if grows != i64::from(*place == whole) {
                    return None;
                }
            }
        }
        let mut left: Vec<Partition> = parts
            .into_iter()
            .map(|(start, before)| Some(Partition { start, total: self.total(&before)?, before }))
            .collect::<Option<_>>()?;
        let (mut end, mut sorted) = (Poly::default(), Vec::with_capacity(left.len()));
        while let Some(at) = left.iter().position(|p| p.start == end) {
            let part = left.swap_remove(at);
            end = end.add(&part.total);
            sorted.push(part);
        }
        // A destination that is known to have no elements has no parts.
        let whole = left.is_empty() && end == self.known.sum(size);
        (whole && !sorted.is_empty()).then_some(sorted)
    }

    /// By how much a count or the index grows with an element of these flags.
    fn growth(&self, v: Var, flags: &[i64]) -> i64 {
        let count = self.counts.iter().position(|(c, _)| *c == v);
        count.map_or(1, |c| flags.get(c).copied().unwrap_or(0))
    }

    /// What moves with the element in a place, behind what does not.
    fn split(&self, place: &Poly) -> Option<(Poly, Poly)> {
        let moves = |v: Var| v == self.index.0 || self.counts.iter().any(|(c, _)| *c == v);
        let (mut start, mut before) = (place.clone(), Poly::default());
        for v in place.vars().into_iter().filter(|v| moves(*v)) {
            let (factor, rest) = start.factor_of(v)?;
            before = before.add(&Poly::var(v).mul(&Poly::constant(factor)));
            start = rest;
        }
        Some((start, before))
    }

    /// What a sum of counts and the index is in the end.
    fn total(&self, before: &Poly) -> Option<Poly> {
        let mut total = before.substitute(self.index.0, &self.known.sum(self.index.1));
        for (count, end) in self.counts {
            if total.vars().contains(count) {
                total = total.substitute(*count, &self.known.sum((*end)?.into()));
            }
        }
        Some(total)
    }

    /// The place and the flags, for all outcomes of the conditions they depend on.
    fn rows(&self, place: SubExp) -> Option<Vec<(Poly, Vec<i64>)>> {
        let mut rows = Vec::new();
        let mut open: Vec<Outcomes> = vec![Vec::new()];
        while let Some(outcomes) = open.pop() {
            match self.row(place, &outcomes) {
                Ok((place, flags)) => {
                    let flags: Option<Vec<i64>> = flags.iter().map(Poly::as_const).collect();
                    rows.push((place, flags?));
                }
                Err(_) if outcomes.len() == CONDITIONS => return None,
                Err(Ask(v)) => open.extend([false, true].map(|b| {
                    let mut outcomes = outcomes.clone();
                    outcomes.push((v, b));
                    outcomes
                })),
            }
        }
        Some(rows)
    }

    fn row(&self, place: SubExp, outcomes: &Outcomes) -> Result<(Poly, Vec<Poly>), Ask> {
        let flags = (0..self.counts.len()).map(|c| self.number(self.result(c), outcomes));
        Ok((self.number(place, outcomes)?, flags.collect::<Result<_, _>>()?))
    }

    fn result(&self, r: usize) -> SubExp {
        match self.scan.results.get(r) {
            Some(KernelResult::Return(x)) => *x,
            // Of which nothing is known.
            Some(KernelResult::Write { dest, .. }) => (*dest).into(),
            None => self.index.0.into(),
        }
    }

    fn passed(&self, v: Var) -> Option<Passed> {
        self.passed.iter().find_map(|(w, p)| (*w == v).then_some(*p))
    }

    /// The result of a branch that is taken.
    fn chosen(&self, exp: &Exp, at: usize, outcomes: &Outcomes) -> Result<Option<SubExp>, Ask> {
        match if_then_else(exp) {
            Some((condition, yes, no)) => {
                let body = if self.truth(condition, outcomes)? { yes } else { no };
                Ok(body.result.get(at).copied())
            }
            None => Ok(None),
        }
    }

    /// The value of an `i64`.
    fn number(&self, x: SubExp, outcomes: &Outcomes) -> Result<Poly, Ask> {
        let SubExp::Var(v) = x else { return Ok(Poly::leaf(x)) };
        if v == self.other_index {
            return Ok(Poly::var(self.index.0));
        }
        match self.passed(v) {
            Some(Passed::Result(r)) => return self.number(self.result(r), outcomes),
            Some(Passed::Count(c)) => {
                let flag = self.number(self.result(c), outcomes)?;
                let before = self.counts.get(c).map_or(v, |(count, _)| *count);
                return Ok(flag.add(&Poly::var(before)));
            }
            None => {}
        }
        let Some((exp, at)) = self.stms.get(&v) else { return Ok(self.known.sum(x)) };
        Ok(match exp {
            Exp::SubExp(y) => self.number(*y, outcomes)?,
            Exp::BinOp(op @ (BinOp::Add(IntType::I64) | BinOp::Sub(IntType::I64)), a, b) => {
                let (a, b) = (self.number(*a, outcomes)?, self.number(*b, outcomes)?);
                Poly::of_op(*op, &a, &b).unwrap_or_else(|| Poly::var(v))
            }
            Exp::ConvOp(ConvOp::BToI(IntType::I64), c) => {
                Poly::constant(i64::from(self.truth(*c, outcomes)?))
            }
            _ => match self.chosen(exp, *at, outcomes)? {
                Some(y) => self.number(y, outcomes)?,
                None => Poly::var(v),
            },
        })
    }

    /// The value of a `bool`.
    fn truth(&self, x: SubExp, outcomes: &Outcomes) -> Result<bool, Ask> {
        let v = match x {
            SubExp::Const(c) => return Ok(c == Const::Bool(true)),
            SubExp::Var(v) => v,
        };
        if let Some((_, known)) = outcomes.iter().find(|(w, _)| *w == v) {
            return Ok(*known);
        }
        if let Some(Passed::Result(r)) = self.passed(v) {
            return self.truth(self.result(r), outcomes);
        }
        let Some((exp, at)) = self.stms.get(&v) else { return Err(Ask(v)) };
        match exp {
            Exp::SubExp(y) => self.truth(*y, outcomes),
            Exp::UnOp(UnOp::Not, y) => Ok(!self.truth(*y, outcomes)?),
            Exp::BinOp(BinOp::LogAnd, a, b) => {
                Ok(self.truth(*a, outcomes)? && self.truth(*b, outcomes)?)
            }
            Exp::BinOp(BinOp::LogOr, a, b) => {
                Ok(self.truth(*a, outcomes)? || self.truth(*b, outcomes)?)
            }
            Exp::CmpOp(CmpOp::Eq(Prim::Int(IntType::I64)), a, b) => {
                let difference = self.number(*a, outcomes)?.sub(&self.number(*b, outcomes)?);
                difference.as_const().map(|d| d == 0).ok_or(Ask(v))
            }
            _ => match self.chosen(exp, *at, outcomes)? {
                Some(y) => self.truth(y, outcomes),
                None => Err(Ask(v)),
            },
        }
    }
}

fn is_nowhere(place: &Poly) -> bool {
    place.as_const().is_some_and(|c| c < 0)
}

pub(super) fn if_then_else(exp: &Exp) -> Option<(SubExp, &Body, &Body)> {
    let Exp::Match { scrutinee, cases, default } = exp else { return None };
    match cases.as_slice() {
        [(Const::Bool(true), yes)] => Some((*scrutinee, yes, default)),
        _ => None,
    }
}
