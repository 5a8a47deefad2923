//! What conditions ask of the index: where they are what is wanted, and whether that can be.

use super::affine::Outcomes;
use super::main_piece::{Limit, Part};
use crate::ir::{BinOp, CmpOp, Const, Exp, IntType, Poly, Prim, SubExp, UnOp, Var};

/// Conditions at the ends are more work before each run of a map than this many are worth.
const MOST_ENDS: usize = 8;

/// At most so many points at either end are peeled off without more ado: what they have less to do is not worth code of its
/// own.
const RIM: i64 = 16;

/// Whether a condition can be made what is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Can {
    /// By nothing that is known.
    Not,
    /// By what is known outside alone.
    ByRow,
    /// By limits of the index, and perhaps by what is known outside.
    ByIndex,
}

/// Whether it is known that there are a few points up to an index.
fn is_few(p: &Poly) -> bool {
    p.as_const().is_some_and(|c| (-RIM..=RIM).contains(&c))
}

impl Outcomes<'_> {
    /// The definition of a condition, through other names.
    pub(super) fn condition(&self, x: SubExp) -> Option<(Var, Exp)> {
        let mut v = x.var()?;
        loop {
            match self.bools.get(&v)? {
                Exp::SubExp(SubExp::Var(w)) => v = *w,
                exp => return Some((v, exp.clone())),
            }
        }
    }

    /// A condition that is known outside, perhaps by another name.
    pub(super) fn outside(&self, x: SubExp) -> Option<Var> {
        let mut v = x.var()?;
        while self.inside.contains(&v) {
            match self.bools.get(&v)? {
                Exp::SubExp(SubExp::Var(w)) => v = *w,
                _ => return None,
            }
        }
        Some(v)
    }

    /// Whether [`Outcomes::demand`] would succeed.
    pub(super) fn can(&self, x: SubExp, wanted: bool) -> Can {
        let given = |is: bool| if is == wanted { Can::ByIndex } else { Can::Not };
        if let SubExp::Const(c) = x {
            return given(c == Const::Bool(true));
        }
        if let Some(v) = self.outside(x) {
            return self.main.outcomes.get(&v).map_or(Can::ByRow, |known| given(*known));
        }
        let Some((v, exp)) = self.condition(x) else { return Can::Not };
        if let Some(known) = self.main.outcomes.get(&v) {
            return given(*known);
        }
        match (&exp, wanted) {
            (Exp::BinOp(BinOp::LogAnd, a, b), true) | (Exp::BinOp(BinOp::LogOr, a, b), false) => {
                match (self.can(*a, wanted), self.can(*b, wanted)) {
                    (Can::Not, _) | (_, Can::Not) => Can::Not,
                    (a, b) => a.max(b),
                }
            }
            // One is enough.
            (Exp::BinOp(BinOp::LogAnd | BinOp::LogOr, a, b), _) => {
                match self.enough(*a, *b, wanted) {
                    Some(_) => Can::ByIndex,
                    None => Can::Not,
                }
            }
            (Exp::UnOp(UnOp::Not, a), _) => self.can(*a, !wanted),
            (Exp::CmpOp(..), _) => match self.limits_of(&exp, wanted) {
                Some((limits, _)) if limits.iter().all(|l| !self.excludes(l)) => Can::ByIndex,
                _ => Can::Not,
            },
            _ => Can::Not,
        }
    }

    /// Which of two conditions limits of the index alone make what is wanted.
    pub(super) fn enough(&self, a: SubExp, b: SubExp, wanted: bool) -> Option<SubExp> {
        [a, b].into_iter().find(|x| {
            let mut rows = Vec::new();
            self.rows(*x, wanted, &mut rows);
            rows.is_empty() && self.can(*x, wanted) == Can::ByIndex
        })
    }

    /// Whether a condition is `wanted` for a few indexes at most: one that is asked for, or some at an end.
    pub(super) fn is_rare(&self, x: SubExp, wanted: bool) -> bool {
        match (self.condition(x), wanted) {
            (Some((_, Exp::CmpOp(CmpOp::Eq(Prim::I64), a, b))), _) => {
                let moves = |x| self.poly(x).is_some_and(|p| p.vars().contains(&self.index));
                wanted && moves(a) != moves(b)
            }
            (Some((_, exp @ Exp::CmpOp(..))), _) => self
                .limits_of(&exp, wanted)
                .is_some_and(|(limits, _)| limits.iter().any(|l| self.takes_few(l))),
            (Some((_, Exp::UnOp(UnOp::Not, a))), _) => self.is_rare(a, !wanted),
            (Some((_, Exp::BinOp(BinOp::LogAnd, a, b))), true)
            | (Some((_, Exp::BinOp(BinOp::LogOr, a, b))), false) => {
                self.is_rare(a, wanted) || self.is_rare(b, wanted)
            }
            (Some((_, Exp::BinOp(BinOp::LogAnd | BinOp::LogOr, a, b))), _) => {
                // Whether it holds for the row is decided before the row.
                let rare = |x| self.is_rare(x, wanted) || self.outside(x).is_some();
                rare(a) && rare(b) && (self.is_rare(a, wanted) || self.is_rare(b, wanted))
            }
            _ => false,
        }
    }

    /// The conditions known outside of which, among others, a condition is made, and what they must be
    /// for it to be `wanted`.
    pub(super) fn rows(&self, x: SubExp, wanted: bool, found: &mut Vec<(Var, bool)>) {
        if let Some(v) = self.outside(x) {
            if !self.main.outcomes.contains_key(&v) && !found.contains(&(v, wanted)) {
                found.push((v, wanted));
            }
            return;
        }
        match self.condition(x) {
            Some((v, _)) if self.main.outcomes.contains_key(&v) => {}
            Some((_, Exp::BinOp(op, a, b))) if (op == BinOp::LogAnd) == wanted => {
                self.rows(a, wanted, found);
                self.rows(b, wanted, found);
            }
            Some((_, Exp::UnOp(_, a))) => self.rows(a, !wanted, found),
            _ => {}
        }
    }

    /// Where a comparison is `wanted`.
    pub(super) fn limits_of(&self, exp: &Exp, wanted: bool) -> Option<(Vec<Limit>, [Poly; 2])> {
        match exp {
            Exp::CmpOp(CmpOp::Eq(Prim::I64), a, b) if !wanted => {
                let (a, b) = (self.poly(*a)?, self.poly(*b)?);
                let (factor, rest) = a.sub(&b).factor_of(self.index)?;
                let outside = rest.vars().iter().all(|v| !self.inside.contains(v));
                let at = match factor {
                    1 => Poly::constant(0).sub(&rest),
                    -1 => rest,
                    _ => return None,
                };
                outside.then(|| (vec![self.apart(at)], [a, b]))
            }
            Exp::CmpOp(CmpOp::ULt(IntType::I64), a, b) if wanted => {
                // 0 <= a < b
                let (a, b) = (self.poly(*a)?, self.poly(*b)?);
                let least = self.limits(&a, false)?;
                let most = self.limits(&a.sub(&b), true)?;
                Some(([least, most].concat(), [a, b]))
            }
            _ => {
                let (p, operands) = self.negative(exp)?;
                Some((self.limits(&p, wanted)?, operands))
            }
        }
    }

    /// All indexes but one, which may be the first or the last, perhaps of the range that this one is a part of.
    fn apart(&self, at: Poly) -> Limit {
        let is = |p: Option<Poly>, c| p.is_some_and(|p| p.as_const() == Some(c));
        if at.as_const() == Some(0) || is(self.before(&at), 0) {
            Limit::From(at.add(&Poly::constant(1)))
        } else if is(Some(self.left(&at)), 1) || is(self.behind(&at), 1) {
            Limit::Before(at)
        } else {
            Limit::Apart(at)
        }
    }

    /// What must not be negative where a comparison is `wanted`, as [`Main::ends`] has it.
    pub(super) fn ends_of(&self, exp: &Exp, wanted: bool) -> Option<(Vec<Poly>, [Poly; 2])> {
        let one = Poly::constant(1);
        let (polys, operands) = match exp {
            Exp::CmpOp(CmpOp::ULt(IntType::I64), a, b) if wanted => {
                let (a, b) = (self.poly(*a)?, self.poly(*b)?);
                (vec![a.clone(), b.sub(&a).sub(&one)], [a, b])
            }
            _ => {
                let (p, operands) = self.negative(exp)?;
                (vec![if wanted { Poly::constant(-1).sub(&p) } else { p }], operands)
            }
        };
        let mut ends = Vec::new();
        for p in &polys {
            ends.extend(self.least(p)?);
        }
        (self.main.ends.len() + ends.len() <= MOST_ENDS).then_some((ends, operands))
    }

    /// Polynomials one of which is the least of this one, for whatever the counters are.
    fn least(&self, p: &Poly) -> Option<Vec<Poly>> {
        let mut least = vec![p.clone()];
        for v in p.vars() {
            let Some(bound) = self.counters.get(&v) else {
                if v != self.index && self.inside.contains(&v) {
                    return None;
                }
                continue;
            };
            let (zero, last) = (Poly::constant(0), bound.sub(&Poly::constant(1)));
            let ends = match p.factor_of(v) {
                Some((c, _)) if c > 0 => vec![zero],
                Some(_) => vec![last],
                None => vec![zero, last],
            };
            least = least.iter().flat_map(|p| ends.iter().map(|x| p.substitute(v, x))).collect();
        }
        Some(least)
    }

    /// How many points of the range there are from an index on.
    fn left(&self, p: &Poly) -> Poly {
        self.defs.expand(&Poly::leaf(self.size).sub(p))
    }

    /// How many points there are before an index in what the range is a part of.
    fn before(&self, p: &Poly) -> Option<Poly> {
        self.part.as_ref().map(|part| self.defs.expand(&part.first.add(p)))
    }

    /// How many points of that there are from the index on.
    fn behind(&self, p: &Poly) -> Option<Poly> {
        let Part { first, whole } = self.part.as_ref()?;
        Some(self.defs.expand(&whole.as_ref()?.sub(first).sub(p)))
    }

    /// Whether an index is a few points away from where the range begins, or that which it is a part of.
    fn is_near_start(&self, p: &Poly) -> bool {
        is_few(p) || self.before(p).is_some_and(|p| is_few(&p))
    }

    /// Whether it is a few points away from where either ends.
    fn is_near_end(&self, p: &Poly) -> bool {
        is_few(&self.left(p)) || self.behind(p).is_some_and(|p| is_few(&p))
    }

    /// Whether what a limit leaves out of the main piece is a few points.
    pub(super) fn leaves_few(&self, limit: &Limit) -> bool {
        match limit {
            Limit::From(p) => self.is_near_start(p),
            Limit::Before(p) => self.is_near_end(p),
            // The larger side stays.
            Limit::Apart(p) | Limit::Side(p) => self.is_near_start(p) || self.is_near_end(p),
        }
    }

    /// Whether what a limit lets in is a few points.
    pub(super) fn takes_few(&self, limit: &Limit) -> bool {
        match limit {
            Limit::From(p) => self.is_near_end(p),
            Limit::Before(p) => self.is_near_start(p),
            Limit::Apart(_) | Limit::Side(_) => false,
        }
    }
}
