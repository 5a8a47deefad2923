//! What holds in the main piece of a range: the outcomes of comparisons of the index, and the
//! limits of the indexes that have them.
//!
//! Every `i64` of the body that is affine in the index, in counters of loops and in what is known
//! outside is followed as a polynomial. Counters may be below a value of the body of which the index has gone, as the length
//! of a window around it. A comparison of two such values, whose difference has the
//! index with a factor of 1 or -1, splits the range in two. Which side the main piece is on is
//! asked by who uses the comparison: an assertion wants to hold, a branch wants to take the side
//! that all indexes but a few take, or that has more to do, a minimum or maximum wants to be the
//! operand that moves with the index, and branches between two affine values want either side, as
//! long as it is one.
//!
//! Where the index has a factor that only the run knows, as in `xs[i * stride + j]`, nothing says
//! which side a limit is on. But what is linear in each of its variables has its extremes where each
//! variable is at one of its ends, so that an assertion that holds at the ends of the main piece
//! holds in all of it.

use super::main_piece::{Aside, ByRow, Chosen, Decided, Limit, Main, Uniform};
use crate::ir::traverse::for_each_block;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, CmpOp, Const, Defs, Exp, IntType, LoopForm, Poly, Prim, SegKind, SegOp, Stm,
    StmAttr, SubExp, Type, UnOp, Var,
};

/// Sums have at most this many terms with at most this factor, of values below 2^49, and a constant
/// between this and its negative: no overflow.
const MOST_TERMS: usize = 8;
const MOST_FACTOR: i64 = 64;
const MOST_CONSTANT: i64 = 1 << 50;
/// Nor if at most this many of the terms are products, which have no factor and are of values below
/// 2^30; of two sums' difference, twice as many.
const MOST_PRODUCTS: usize = 2;
/// Conditions at the ends are more work before each run of a map than this many are worth.
const MOST_ENDS: usize = 8;
/// Which values are how small is asked when the map runs, but for constants.
const SMALL_COUNT: i64 = 1 << 30;

/// Neighbours are not farther away than this.
const FARTHEST: u64 = 8;

/// At most so many points at either end are peeled off without more ado: what they have less to do is not worth code of its
/// own.
const RIM: i64 = 16;
/// How much more a branch has to do before it is the main one.
const HEAVIER: usize = 2;

/// Whether a condition can be made what is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Can {
    /// By nothing that is known.
    Not,
    /// By what is known outside alone.
    ByRow,
    /// By limits of the index, and perhaps by what is known outside.
    ByIndex,
}

struct Outcomes<'d> {
    index: Var,
    /// What the index is below.
    size: SubExp,
    /// Where the range begins in another one that it is a part of.
    part_from: Option<Poly>,
    /// What is known of sizes outside.
    defs: &'d Defs,
    /// What the body binds.
    inside: VarSet,
    polys: VarMap<Poly>,
    /// Of these, the ones that are so in the main piece only: what has been bounded or chosen, and what is made of it.
    in_main: VarSet,
    /// Counters that start at zero, with what they are below, if that is made of what is known outside.
    counters: VarMap<Poly>,
    bools: VarMap<Exp>,
    /// What comes now is run for every index of the main piece.
    certain: bool,
    main: Main,
}

/// Looks for the main piece of the outermost of some dimensions of a body, for whatever the indexes of the others are.
pub(super) fn main_piece(dims: &[(Var, SubExp)], stms: &[Stm], defs: &Defs) -> Main {
    let [(index, size), point @ ..] = dims else { return Main::default() };
    let (index, size) = (*index, *size);
    let mut inside: VarSet = dims.iter().map(|d| d.0).collect();
    bound(stms, &mut inside);
    let mut o = Outcomes {
        index,
        size,
        part_from: part_from(index, stms),
        defs,
        inside,
        polys: VarMap::default(),
        in_main: VarSet::default(),
        counters: VarMap::default(),
        bools: VarMap::default(),
        certain: true,
        main: Main::default(),
    };
    o.relies(&Poly::leaf(size));
    for (v, n) in point {
        o.count(*v, *n);
    }
    o.stms(stms, true);
    o.main.rims_are_short = o.main.limits.iter().all(|l| o.leaves_few(l));
    o.main
}

/// Where a range begins in the one that it is a part of, if it is one, as those of tasks are.
fn part_from(index: Var, stms: &[Stm]) -> Option<Poly> {
    let s = stms.first().filter(|s| s.has(StmAttr::Index))?;
    match s.exp {
        Exp::BinOp(BinOp::Add(IntType::I64), x, first) if x == index.into() => {
            Some(Poly::leaf(first))
        }
        _ => None,
    }
}

/// Whether it is known that there are a few points up to an index.
fn is_few(p: &Poly) -> bool {
    p.as_const().is_some_and(|c| (-RIM..=RIM).contains(&c))
}

/// All that statements bind, with loop parameters, counters and index variables.
fn bound(stms: &[Stm], set: &mut VarSet) {
    for s in stms {
        set.extend(s.pat.iter().map(|p| p.var));
        match &s.exp {
            Exp::Loop { params, form, .. } => {
                set.extend(params.iter().map(|p| p.var));
                if let LoopForm::For { var, .. } = form {
                    set.insert(*var);
                }
            }
            Exp::Seg(op) => {
                let SegOp { space, .. } = op;
                set.extend(space.dims.iter().map(|d| d.0));
            }
            _ => {}
        }
        for_each_block(&s.exp, &mut |b| bound(b, set));
    }
}

/// A constant is small enough for a factor of a product. Of variables that is asked later.
fn is_small(x: SubExp) -> bool {
    match x {
        SubExp::Const(c) => c.as_int().is_some_and(|c| (0..=SMALL_COUNT).contains(&c)),
        SubExp::Var(_) => true,
    }
}

/// What statements have to do, roughly.
fn weight(stms: &[Stm]) -> usize {
    stms.iter().fold(0, |n, s| {
        let mut below = 0;
        for_each_block(&s.exp, &mut |b| below += weight(b));
        let own = match s.exp {
            Exp::SubExp(_) => 0,
            Exp::Index { .. } | Exp::Assert { .. } => 3,
            Exp::Loop { .. } | Exp::Seg(_) | Exp::Call { .. } => 8,
            _ => 1,
        };
        n + own + below
    })
}

impl Outcomes<'_> {
    fn stms(&mut self, stms: &[Stm], top: bool) {
        for s in stms {
            self.stm(s, top);
        }
    }

    fn stm(&mut self, s: &Stm, top: bool) {
        if let Exp::Assert { cond, .. } = s.exp {
            let before = self.main.limits.len();
            self.demand(cond, true);
            self.main.checks += self.main.limits.len() - before;
            return;
        }
        match &s.exp {
            Exp::Loop { form, body, .. } => {
                if let LoopForm::For { var, ty: IntType::I64, bound } = form {
                    self.count(*var, *bound);
                }
                return self.stms(&body.stms, false);
            }
            Exp::Seg(SegOp { space, kind: SegKind::Red(_) | SegKind::Map, body, .. }) => {
                for (v, n) in &space.dims {
                    self.count(*v, *n);
                }
                return self.stms(&body.stms, false);
            }
            _ => {}
        }
        let [p] = s.pat.as_slice() else {
            if let Exp::Match { scrutinee, cases, default } = &s.exp {
                self.branch(*scrutinee, cases, default, top);
            }
            return;
        };
        match (&s.exp, &p.ty) {
            (Exp::Match { scrutinee, cases, default }, _) => {
                match self.branch(*scrutinee, cases, default, top) {
                    Some(body) => {
                        if let Some(x) = body.result.first() {
                            self.name(p.var, *x, &p.ty);
                            self.in_main.insert(p.var);
                        }
                    }
                    None => self.choose(p.var, &p.ty, *scrutinee, cases, default),
                }
            }
            (Exp::SubExp(x), ty) => self.name(p.var, *x, ty),
            (Exp::BinOp(op, a, b), &Type::I64) => {
                if let Some(poly) = self.arithmetic(p.var, *op, *a, *b) {
                    self.know(p.var, poly);
                    let always = matches!(op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_));
                    if !always || self.is_in_main(*a) || self.is_in_main(*b) {
                        self.in_main.insert(p.var);
                    }
                }
            }
            (Exp::BinOp(BinOp::LogAnd | BinOp::LogOr, ..) | Exp::UnOp(UnOp::Not, _), _)
            | (Exp::CmpOp(..), _) => {
                self.bools.insert(p.var, s.exp.clone());
            }
            _ => {}
        }
    }

    /// Whether what is known of an operand holds in the main piece only.
    fn is_in_main(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| self.in_main.contains(&v))
    }

    fn name(&mut self, v: Var, x: SubExp, ty: &Type) {
        if self.is_in_main(x) {
            self.in_main.insert(v);
        }
        if *ty == Type::I64 {
            if let Some(poly) = self.poly(x) {
                self.know(v, poly);
            }
        } else if *ty == Type::BOOL {
            self.bools.insert(v, Exp::SubExp(x));
        }
    }

    fn count(&mut self, v: Var, bound: SubExp) {
        let below = match bound {
            SubExp::Var(b) if self.inside.contains(&b) => match self.polys.get(&b) {
                // Windows around the index have one length where they are not cut off, and become longer or shorter with it where they are.
                Some(p) if self.is_sum_for_an_index(p) => p.clone(),
                _ => return,
            },
            SubExp::Var(_) => Poly::leaf(bound),
            SubExp::Const(_) if is_small(bound) => Poly::leaf(bound),
            SubExp::Const(_) => return,
        };
        if self.is_in_main(bound) {
            self.in_main.insert(v);
        }
        self.counters.insert(v, below);
    }

    /// Whether a polynomial is a sum of what is known outside, and perhaps the index.
    fn is_sum_for_an_index(&self, p: &Poly) -> bool {
        let known = |v: &Var| *v == self.index || !self.inside.contains(v);
        p.monomials().all(|(m, _)| m.len() <= 1 && m.iter().all(known))
    }

    /// Whether it may be a factor of a product: a variable, or a counter that is below one or a constant, for all indexes the same.
    fn may_be_factor(&self, v: Var) -> bool {
        self.counters.get(&v).is_none_or(|below| {
            match (below.as_const(), below.vars().as_slice()) {
                (Some(c), _) => (0..=SMALL_COUNT).contains(&c),
                (None, [w]) => *w != self.index && *below == Poly::var(*w),
                (None, _) => false,
            }
        })
    }

    fn know(&mut self, v: Var, poly: Poly) {
        let (mut terms, mut products) = (0, 0);
        let small = poly.monomials().all(|(m, c)| {
            terms += 1;
            match m {
                [] => (-MOST_CONSTANT..=MOST_CONSTANT).contains(&c),
                [_] => (-MOST_FACTOR..=MOST_FACTOR).contains(&c),
                [v, w] => {
                    products += 1;
                    // Linear in each, and no constant among what they stand for is large.
                    let plain = self.may_be_factor(*v) && self.may_be_factor(*w);
                    matches!(c, 1 | -1) && v != w && plain && is_small(self.size)
                }
                _ => false,
            }
        });
        if small && terms <= MOST_TERMS && products <= MOST_PRODUCTS {
            self.polys.insert(v, poly);
        }
    }

    /// An operand as a polynomial in the index, counters and what is known outside.
    fn poly(&self, x: SubExp) -> Option<Poly> {
        match x {
            // Differences of larger ones could overflow.
            SubExp::Const(c) => {
                let small = |c: &i64| (-MOST_CONSTANT..=MOST_CONSTANT).contains(c);
                c.as_int().filter(small).map(Poly::constant)
            }
            SubExp::Var(v) => match self.polys.get(&v) {
                Some(p) => Some(p.clone()),
                None if v == self.index
                    || self.counters.contains_key(&v)
                    || !self.inside.contains(&v) =>
                {
                    Some(Poly::var(v))
                }
                None => None,
            },
        }
    }

    fn arithmetic(&mut self, var: Var, op: BinOp, a: SubExp, b: SubExp) -> Option<Poly> {
        let (x, y) = (self.poly(a)?, self.poly(b)?);
        let i64 = IntType::I64;
        match op {
            BinOp::Add(t) if t == i64 => Some(x.add(&y)),
            BinOp::Sub(t) if t == i64 => Some(x.sub(&y)),
            BinOp::Mul(t) if t == i64 => Some(x.mul(&y)),
            BinOp::SMin(t) | BinOp::SMax(t) if t == i64 => {
                let moves = |p: &Poly| p.factor_of(self.index).is_some_and(|(c, _)| c != 0);
                let (operand, this, other, rest) = match (moves(&x), moves(&y)) {
                    (true, false) => (a, x, y, b),
                    (false, true) => (b, y, x, a),
                    _ => return None,
                };
                let difference = match op {
                    BinOp::SMin(_) => this.sub(&other),
                    _ => other.sub(&this),
                };
                // this - other <= 0
                let limit = self.limit(&difference.sub(&Poly::constant(1)), true)?;
                self.relies(&this);
                self.relies(&other);
                if self.excludes(&limit) {
                    // With counters, a limit is that of the worst case.
                    let counts = difference.vars().iter().any(|v| self.counters.contains_key(v));
                    return (!counts).then(|| {
                        self.main.same.insert(var, rest);
                        other
                    });
                }
                self.decided(var, (&limit, [a, b]), (operand, rest));
                self.main.limits.push(limit);
                self.main.same.insert(var, operand);
                Some(this)
            }
            // A neighbour's index goes round at the ends alone.
            BinOp::SMod(t) | BinOp::SRem(t) if t == i64 => {
                let near = |index: Poly| {
                    let distance = x.sub(&index).as_const();
                    distance.is_some_and(|d| d.unsigned_abs() <= FARTHEST)
                };
                let own = Poly::var(self.index);
                let round = match &self.part_from {
                    // What the range is a part of may go round with it.
                    Some(first) => near(own.add(first)) && self.is_outside(b),
                    None => near(own) && y == Poly::leaf(self.size),
                };
                if !round {
                    return None;
                }
                let limits = [self.limit(&x, false)?, self.limit(&x.sub(&y), true)?];
                self.relies(&x);
                self.relies(&y);
                self.main.limits.extend(limits);
                self.main.same.insert(var, a);
                Some(x)
            }
            _ => None,
        }
    }

    /// Whether an operand is a variable that the body does not bind.
    fn is_outside(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| !self.inside.contains(&v))
    }

    /// Whether no index in the limits so far is in this one.
    fn excludes(&self, limit: &Limit) -> bool {
        let empty = |from: &Poly, before: &Poly| {
            self.defs.expand(&before.sub(from)).as_const().is_some_and(|n| n <= 0)
        };
        self.main.limits.iter().any(|other| match (other, limit) {
            (Limit::From(p), Limit::Before(q)) | (Limit::Before(q), Limit::From(p)) => empty(p, q),
            _ => false,
        })
    }

    /// What is greatest of a polynomial if `p < 0` is `wanted`, or else least, for whatever the counters are.
    fn worst(&self, p: &Poly, wanted: bool) -> Option<Poly> {
        let mut worst = p.clone();
        for v in p.vars() {
            let Some(bound) = self.counters.get(&v) else {
                if v != self.index && self.inside.contains(&v) {
                    return None;
                }
                continue;
            };
            let (c, _) = p.factor_of(v)?;
            let most = bound.sub(&Poly::constant(1));
            let extreme = if (c > 0) == wanted { most } else { Poly::constant(0) };
            worst = worst.substitute(v, &extreme);
        }
        Some(worst)
    }

    /// The limits of the indexes of which `p < 0` is `wanted`, for whatever the counters are: none, if that is so for all.
    fn limits(&self, p: &Poly, wanted: bool) -> Option<Vec<Limit>> {
        match self.worst(p, wanted)?.as_const() {
            Some(c) => ((c < 0) == wanted).then(Vec::new),
            None => Some(vec![self.limit(p, wanted)?]),
        }
    }

    /// The only one, if there is one.
    fn limit(&self, p: &Poly, wanted: bool) -> Option<Limit> {
        // factor · i + rest < 0, or >= 0.
        let (factor, rest) = self.worst(p, wanted)?.factor_of(self.index)?;
        let minus = Poly::constant(0).sub(&rest);
        match (factor, wanted) {
            (1, true) => Some(Limit::Before(minus)),
            (-1, true) => Some(Limit::From(rest.add(&Poly::constant(1)))),
            (1, false) => Some(Limit::From(minus)),
            (-1, false) => Some(Limit::Before(rest.add(&Poly::constant(1)))),
            _ => None,
        }
    }

    /// What a comparison of `i64` values says: the polynomial that is negative if it is true, and
    /// both operands.
    fn negative(&self, exp: &Exp) -> Option<(Poly, [Poly; 2])> {
        let (op, a, b) = match exp {
            Exp::CmpOp(op, a, b) => (op, self.poly(*a)?, self.poly(*b)?),
            _ => return None,
        };
        let difference = a.sub(&b);
        let p = match op {
            CmpOp::SLt(IntType::I64) => difference,
            CmpOp::SLe(IntType::I64) => difference.sub(&Poly::constant(1)),
            _ => return None,
        };
        Some((p, [a, b]))
    }

    fn relies(&mut self, p: &Poly) {
        for (m, _) in p.monomials() {
            for v in m {
                let below = match self.counters.get(v) {
                    Some(bound) => bound.vars(),
                    None => [*v].into_iter().collect(),
                };
                for v in below {
                    let v = if v != self.index {
                        v
                    } else if let Some(size) = self.size.var() {
                        size
                    } else {
                        continue;
                    };
                    if !self.main.leaves.contains(&v) {
                        self.main.leaves.push(v);
                    }
                    if m.len() > 1 && !self.main.factors.contains(&v) {
                        self.main.factors.push(v);
                    }
                }
            }
        }
    }

    /// The definition of a condition, through other names.
    fn condition(&self, x: SubExp) -> Option<(Var, Exp)> {
        let mut v = x.var()?;
        loop {
            match self.bools.get(&v)? {
                Exp::SubExp(SubExp::Var(w)) => v = *w,
                exp => return Some((v, exp.clone())),
            }
        }
    }

    /// A condition that is known outside, perhaps by another name.
    fn outside(&self, x: SubExp) -> Option<Var> {
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
    fn can(&self, x: SubExp, wanted: bool) -> Can {
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
    fn enough(&self, a: SubExp, b: SubExp, wanted: bool) -> Option<SubExp> {
        [a, b].into_iter().find(|x| {
            let mut rows = Vec::new();
            self.rows(*x, wanted, &mut rows);
            rows.is_empty() && self.can(*x, wanted) == Can::ByIndex
        })
    }

    /// Whether a condition is `wanted` for a few indexes at most: one that is asked for, or some at an end.
    fn is_rare(&self, x: SubExp, wanted: bool) -> bool {
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
    fn rows(&self, x: SubExp, wanted: bool, found: &mut Vec<(Var, bool)>) {
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
    fn limits_of(&self, exp: &Exp, wanted: bool) -> Option<(Vec<Limit>, [Poly; 2])> {
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

    /// All indexes but one, which may be the first or the last.
    fn apart(&self, at: Poly) -> Limit {
        let one = Poly::constant(1);
        let behind = self.defs.expand(&Poly::leaf(self.size).sub(&at));
        match (at.as_const(), behind.as_const()) {
            (Some(0), _) => Limit::From(one),
            (_, Some(1)) => Limit::Before(at),
            _ => Limit::Apart(at),
        }
    }

    /// What must not be negative where a comparison is `wanted`, as [`Main::ends`] has it.
    fn ends_of(&self, exp: &Exp, wanted: bool) -> Option<(Vec<Poly>, [Poly; 2])> {
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

    /// Makes the condition `wanted` in the main piece, as far as that can be; whether it is.
    fn demand(&mut self, x: SubExp, wanted: bool) -> bool {
        if let SubExp::Const(c) = x {
            return c == Const::Bool(wanted);
        }
        if let Some(v) = self.outside(x) {
            if let Some(known) = self.main.outcomes.get(&v) {
                return *known == wanted;
            }
            // There may be rows in which what is not certain to be asked for is not so.
            if self.certain {
                self.main.holds.push((v, wanted));
                self.main.outcomes.insert(v, wanted);
            }
            return self.certain;
        }
        let Some((v, exp)) = self.condition(x) else { return false };
        if let Some(known) = self.main.outcomes.get(&v) {
            return *known == wanted;
        }
        if self.main.uniform.iter().any(|u| u.cond == v) {
            return false;
        }
        let done = match (&exp, wanted) {
            (Exp::BinOp(BinOp::LogAnd, a, b), true) | (Exp::BinOp(BinOp::LogOr, a, b), false) => {
                let first = self.demand(*a, wanted);
                self.demand(*b, wanted) && first
            }
            (Exp::BinOp(BinOp::LogAnd | BinOp::LogOr, a, b), _) => {
                match self.enough(*a, *b, wanted) {
                    Some(x) => self.demand(x, wanted),
                    None => false,
                }
            }
            (Exp::UnOp(UnOp::Not, a), _) => self.demand(*a, !wanted),
            (Exp::CmpOp(..), _) => {
                if let Some((limits, operands)) = self.limits_of(&exp, wanted) {
                    if let ([limit], Exp::CmpOp(_, a, b)) = (limits.as_slice(), &exp) {
                        self.decided(
                            v,
                            (limit, [*a, *b]),
                            (SubExp::bool(wanted), SubExp::bool(!wanted)),
                        );
                    }
                    operands.iter().for_each(|p| self.relies(p));
                    self.main.limits.extend(limits);
                    true
                } else if let (true, Some((ends, operands))) =
                    (self.certain, self.ends_of(&exp, wanted))
                {
                    // Branches have asked for limits: who comes here is an assertion. If it does not
                    // hold at the ends there is no main piece, which must not be due to indexes
                    // that no one checks.
                    operands.iter().for_each(|p| self.relies(p));
                    self.main.ends.extend(ends);
                    true
                } else {
                    false
                }
            }
            _ => false,
        };
        if done {
            self.main.outcomes.insert(v, wanted);
        }
        done
    }

    /// Remembers what a value made of two operands is for indexes within a limit, and for all others.
    fn decided(&mut self, var: Var, (limit, of): (&Limit, [SubExp; 2]), is: (SubExp, SubExp)) {
        if of.iter().any(|x| self.is_in_main(*x)) {
            return;
        }
        // With counters, a limit is that of the worst case.
        let counts = |x: &SubExp| {
            let p = self.poly(*x);
            p.is_none_or(|p| p.vars().iter().any(|v| self.counters.contains_key(v)))
        };
        let beyond = if of.iter().any(counts) { None } else { Some(is.1) };
        self.main.decided.push(Decided { var, limit: limit.clone(), within: is.0, beyond });
    }

    /// Decides a branch, if that can be; the body that is taken.
    fn branch<'b>(
        &mut self,
        scrutinee: SubExp,
        cases: &'b [(Const, Body)],
        default: &'b Body,
        top: bool,
    ) -> Option<&'b Body> {
        if let [(Const::Bool(on), case)] = cases {
            let (yes, no) = if *on { (case, default) } else { (default, case) };
            let (heavy, light) = (weight(&yes.stms), weight(&no.stms));
            let taken = if self.is_rare(scrutinee, true) {
                Some((false, no))
            } else if self.is_rare(scrutinee, false) || heavy > light + HEAVIER {
                Some((true, yes))
            } else if light > heavy + HEAVIER {
                Some((false, no))
            } else {
                None
            };
            if let Some((wanted, body)) = taken
                && self.can(scrutinee, wanted) == Can::ByIndex
                && self.decided_by_row(scrutinee, wanted, top)
            {
                if top {
                    self.aside(scrutinee, !wanted);
                }
                self.demand(scrutinee, wanted);
                self.stms(&body.stms, top);
                return Some(body);
            }
        }
        let certain = std::mem::replace(&mut self.certain, false);
        for body in cases.iter().map(|c| &c.1).chain([default]) {
            self.stms(&body.stms, false);
        }
        self.certain = certain;
        None
    }

    /// Remembers what the row says of a branch, if it does; whether that could be.
    fn decided_by_row(&mut self, scrutinee: SubExp, wanted: bool, top: bool) -> bool {
        let mut conds = Vec::new();
        self.rows(scrutinee, wanted, &mut conds);
        if conds.is_empty() {
            return true;
        }
        let (Some(cond), true, None) = (scrutinee.var(), top, &self.main.by_row) else {
            return false;
        };
        self.main.outcomes.extend(conds.iter().copied());
        self.main.by_row = Some(ByRow { conds, cond, outcome: !wanted });
        true
    }

    /// Remembers the comparisons each of which alone makes a condition `outcome`.
    fn aside(&mut self, x: SubExp, outcome: bool) {
        let Some((v, exp)) = self.condition(x) else { return };
        match (&exp, outcome) {
            (Exp::BinOp(BinOp::LogAnd, a, b), false) | (Exp::BinOp(BinOp::LogOr, a, b), true) => {
                self.aside(*a, outcome);
                self.aside(*b, outcome);
            }
            (Exp::UnOp(UnOp::Not, a), _) => self.aside(*a, !outcome),
            (Exp::CmpOp(_, a, b), _) if !self.is_in_main(*a) && !self.is_in_main(*b) => {
                let Some((p, _)) = self.negative(&exp) else { return };
                let outside = |v: &Var| *v == self.index || !self.inside.contains(v);
                if p.vars().iter().all(outside)
                    && let Some(limit) = self.limit(&p, outcome)
                    && !self.takes_few(&limit)
                {
                    self.main.asides.push(Aside { cond: v, outcome, limit });
                }
            }
            _ => {}
        }
    }

    /// Whether an index is a few points away from where the range ends.
    fn is_near_end(&self, p: &Poly) -> bool {
        is_few(&self.defs.expand(&Poly::leaf(self.size).sub(p)))
    }

    /// Whether what a limit leaves out of the main piece is a few points.
    fn leaves_few(&self, limit: &Limit) -> bool {
        match limit {
            Limit::From(p) => is_few(p),
            Limit::Before(p) => self.is_near_end(p),
            // The larger side stays.
            Limit::Apart(p) | Limit::Side(p) => is_few(p) || self.is_near_end(p),
        }
    }

    /// Whether what a limit lets in is a few points.
    fn takes_few(&self, limit: &Limit) -> bool {
        match limit {
            Limit::From(p) => self.is_near_end(p),
            Limit::Before(p) => is_few(p),
            Limit::Apart(_) | Limit::Side(_) => false,
        }
    }

    /// The result of a branch between two affine values.
    fn choose(
        &mut self,
        var: Var,
        ty: &Type,
        scrutinee: SubExp,
        cases: &[(Const, Body)],
        default: &Body,
    ) {
        let ([(Const::Bool(on), case)], &Type::I64) = (cases, ty) else { return };
        let (yes, no) = if *on { (case, default) } else { (default, case) };
        let harmless = |b: &Body| {
            b.stms.iter().all(|s| {
                s.certs.is_empty()
                    && matches!(
                        s.exp,
                        Exp::BinOp(BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_), ..)
                            | Exp::SubExp(_)
                    )
            })
        };
        let (Some(x), Some(y)) = (yes.result.first(), no.result.first()) else { return };
        let (Some(x), Some(y)) = (self.poly(*x), self.poly(*y)) else { return };
        let (Some((f, x_rest)), Some((g, y_rest))) =
            (x.factor_of(self.index), y.factor_of(self.index))
        else {
            return;
        };
        if !harmless(yes) || !harmless(no) {
            return;
        }
        // Better the one that moves with the index than one that stays.
        let moving = match (f, g) {
            (0, 0) => return,
            (_, 0) => Some((true, &x)),
            (0, _) => Some((false, &y)),
            _ => None,
        };
        if let Some((wanted, p)) = moving {
            if self.can(scrutinee, wanted) == Can::ByIndex
                && self.decided_by_row(scrutinee, wanted, false)
                && self.demand(scrutinee, wanted)
            {
                self.relies(p);
                self.know(var, p.clone());
                self.in_main.insert(var);
            }
            return;
        }
        let Some((cond, exp)) = self.condition(scrutinee) else { return };
        if f != g {
            return;
        }
        let outside = |s: &Outcomes<'_>, p: &Poly| p.vars().iter().all(|v| !s.inside.contains(v));
        if !outside(self, &x_rest) || !outside(self, &y_rest) {
            return;
        }
        if !self.main.uniform.iter().any(|u| u.cond == cond) {
            if self.main.outcomes.contains_key(&cond) {
                return;
            }
            let Some((p, operands)) = self.negative(&exp) else { return };
            let Some((factor, rest)) = p.factor_of(self.index) else { return };
            if !outside(self, &rest) {
                return;
            }
            let at = match self.limit(&p, true) {
                Some(Limit::Before(at) | Limit::From(at)) => at,
                _ => return,
            };
            operands.iter().for_each(|p| self.relies(p));
            self.main.limits.push(Limit::Side(at));
            self.main.uniform.push(Uniform { cond, factor, rest });
        }
        self.relies(&x);
        self.relies(&y);
        self.main.chosen.push(Chosen { var, cond, factor: f, rests: (x_rest, y_rest) });
    }
}
