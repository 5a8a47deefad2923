//! What holds in the main piece of a range: the outcomes of comparisons of the index, and the
//! limits of the indexes that have them.
//!
//! Every `i64` of the body that is affine in the index, in counters of loops and in what is known
//! outside is followed as a polynomial ([`super::affine`]). A comparison of two such values, whose difference has the
//! index with a factor of 1 or -1, splits the range in two ([`super::conditions`]). Which side the main piece is on is
//! asked by who uses the comparison: an assertion wants to hold, a branch wants to take the side
//! that all indexes but a few take, or that has more to do, a minimum or maximum wants to be the
//! operand that moves with the index, and branches between two affine values want either side, as
//! long as it is one.
//!
//! Where the index has a factor that only the run knows, as in `xs[i * stride + j]`, nothing says
//! which side a limit is on. But what is linear in each of its variables has its extremes where each
//! variable is at one of its ends, so that an assertion that holds at the ends of the main piece
//! holds in all of it.

use super::affine::Outcomes;
use super::conditions::Can;
use super::main_piece::{Aside, ByRow, Chosen, Limit, Main, Part, Uniform};
use crate::ir::traverse::for_each_block;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, CmpOp, Const, Defs, Exp, IntType, LoopForm, Poly, SegKind, SegOp, Stm, StmAttr,
    SubExp, Type, UnOp, Var,
};

/// How much more a branch has to do before it is the main one.
const HEAVIER: usize = 2;

/// Looks for the main piece of the outermost of some dimensions of a body, for whatever the indexes of the others are.
pub(super) fn main_piece(dims: &[(Var, SubExp)], stms: &[Stm], defs: &Defs) -> Main {
    let [(index, size), point @ ..] = dims else { return Main::default() };
    let (index, size) = (*index, *size);
    let mut inside: VarSet = dims.iter().map(|d| d.0).collect();
    bound(stms, &mut inside);
    let mut o = Outcomes {
        index,
        size,
        part: part(dims, stms, defs),
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
    o.main.part = o.part;
    o.main
}

/// Where the outermost range lies in the one that it is a part of, if it is one: `i = k + first`, and there are as many `k` as a
/// minimum of `whole - first` and other sizes.
fn part(dims: &[(Var, SubExp)], stms: &[Stm], defs: &Defs) -> Option<Part> {
    let (index, size) = dims.first()?;
    let s = stms.first().filter(|s| s.has(StmAttr::Index))?;
    let first = match s.exp {
        Exp::BinOp(BinOp::Add(IntType::I64), x, first) if x == (*index).into() => first,
        _ => return None,
    };
    let first = Poly::leaf(first);
    let begin = defs.expand(&first);
    let bounds = size.var().map_or(&[][..], |n| defs.at_most(n));
    let ends = bounds.iter().map(|n| defs.expand(&n.add(&begin)));
    let mut wholes = ends.filter(|n| n.vars().iter().all(|v| !begin.vars().contains(v)));
    let whole = wholes.next().filter(|_| !begin.vars().is_empty());
    Some(Part { first, whole })
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
                    // Beyond the only limit of an unsigned comparison, an operand may be negative.
                    if let ([limit], Exp::CmpOp(op, a, b)) = (limits.as_slice(), &exp)
                        && !matches!(op, CmpOp::ULt(_))
                    {
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
