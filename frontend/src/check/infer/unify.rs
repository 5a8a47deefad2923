//! Unification of types and sizes.
//!
//! Rigid sizes that differ in normal form do not unify. Where a size expression still holds
//! unknowns that nothing determines yet, the question is put off to the end of the definition.
//! An arrow's existential sizes become fresh sizes of their own; what the expected side left open
//! may be anything.

use crate::check::infer::checker::{Blame, Checker};
use crate::check::infer::demand::{Demand, Violation};
use crate::check::infer::equal::{Equal, Pair};
use crate::check::infer::unknown::{Binder, Constraint, Holder, Refusal, is_meta};
use crate::check::types::subst::{Subst, exp_to_size, size_vars};
use futc_typed::name::Name;
use futc_typed::program::{Exp, ExpKind, VarId};
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::sync::Arc;

impl Checker<'_> {
    /// Makes the types equal if that is possible, and else leaves everything as it was, but for
    /// [`Checker::violation`] and [`Checker::blame`].
    pub(crate) fn try_unify(&mut self, expected: &Type, actual: &Type) -> bool {
        self.violation = None;
        self.blame = None;
        self.equal = Equal::default();
        let deferred = self.deferred.len();
        let choices = self.choices.len();
        self.metas.begin();
        let ok = self.unify(expected, actual);
        if !ok && let Some(violation) = &mut self.violation {
            // Its type may hold what is forgotten now.
            let (Violation::Lifted(ty, ..)
            | Violation::Equality(ty, _)
            | Violation::Infinite(_, ty)) = violation;
            *ty = self.metas.zonk(ty);
        }
        if !ok && let Some(blame) = &mut self.blame {
            match blame {
                Blame::Shapes | Blame::Scope(_) => {}
                Blame::Sizes(a, b) => (*a, *b) = (self.metas.zonk_size(a), self.metas.zonk_size(b)),
                Blame::Anonymous(_, ty) => *ty = self.metas.zonk(ty),
            }
        }
        self.metas.end(ok);
        if !ok {
            self.equal = Equal::default();
            self.deferred.truncate(deferred);
            self.choices.truncate(choices);
        }
        ok
    }

    /// Makes the types equal, if that is possible. On failure some of it may have been done.
    pub(crate) fn unify(&mut self, expected: &Type, actual: &Type) -> bool {
        let a = self.metas.head(expected);
        let b = self.metas.head(actual);
        match self.equal.pair(&a, &b, self.sizes_may_differ) {
            Pair::Same => true,
            Pair::Other => self.unify_heads(&a, &b),
            Pair::Noted(pair) => {
                let ok = self.unify_heads(&a, &b);
                if ok {
                    self.equal.pairs.insert(pair, (a, b));
                }
                ok
            }
        }
    }

    fn unify_heads(&mut self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Param(v), Type::Param(w)) if v == w => true,
            (Type::Param(v), Type::Param(w)) if is_meta(*v) && is_meta(*w) => {
                self.unify_metas(*v, *w)
            }
            (Type::Param(v), t) | (t, Type::Param(v)) if is_meta(*v) => self.solve(*v, t),
            (Type::Prim(p), Type::Prim(q)) => p == q || self.shapes_differ(),
            (Type::Array { size: m, elem: x }, Type::Array { size: n, elem: y }) => {
                let sizes = self.unify_size(m, n);
                let elems = self.unify(x, y);
                sizes && elems
            }
            (Type::Record(xs), Type::Record(ys)) => {
                xs.len() == ys.len()
                    && xs
                        .iter()
                        .zip(ys.iter())
                        .fold(true, |ok, ((n, x), (m, y))| n == m && self.unify(x, y) && ok)
            }
            (Type::Sum(xs), Type::Sum(ys)) => {
                xs.len() == ys.len()
                    && xs.iter().zip(ys.iter()).all(|((n, ts), (m, us))| {
                        n == m
                            && ts.len() == us.len()
                            && ts.iter().zip(us).all(|(t, u)| self.unify(t, u))
                    })
            }
            (Type::Arrow(x), Type::Arrow(y)) => self.unify_arrows(x, y),
            (Type::Opaque(i, xs), Type::Opaque(j, ys)) => {
                i == j
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys.iter()).all(|(x, y)| match (x, y) {
                        (TypeArg::Size(m), TypeArg::Size(n)) => self.unify_size(m, n),
                        (TypeArg::Type(t), TypeArg::Type(u)) => self.unify(t, u),
                        _ => false,
                    })
            }
            _ => self.shapes_differ(),
        }
    }

    /// The types differ in more than sizes, which matters more than what sizes may differ too.
    fn shapes_differ(&mut self) -> bool {
        self.blame = Some(Blame::Shapes);
        false
    }

    fn unify_metas(&mut self, v: VarId, w: VarId) -> bool {
        let merged = match (self.metas.constraint(v), self.metas.constraint(w)) {
            (Constraint::Any, c) | (c, Constraint::Any) => c,
            (Constraint::Prims(p), Constraint::Prims(q)) => {
                let both = p.and(q);
                if both.is_empty() {
                    return false;
                }
                Constraint::Prims(both)
            }
            // A record of which only some fields are known is one for both branches of a choice.
            (Constraint::Record(mut fs), Constraint::Record(gs)) => {
                for (n, t) in gs {
                    match fs.iter().find(|(m, _)| *m == n).map(|(_, u)| u.clone()) {
                        Some(u) => {
                            if !self.unify_strictly(&u, &t) {
                                return false;
                            }
                        }
                        None => fs.push((n, t)),
                    }
                }
                Constraint::Record(fs)
            }
            (Constraint::Sum(mut cs), Constraint::Sum(ds)) => {
                if self.sizes_may_differ
                    && let Some(ok) = self.unify_apart(v, w, &cs, &ds)
                {
                    return ok;
                }
                for (n, ts) in ds {
                    match cs.iter().find(|(m, _)| *m == n).map(|(_, us)| us.clone()) {
                        Some(us) => {
                            if us.len() != ts.len()
                                || !us.iter().zip(&ts).all(|(u, t)| self.unify_strictly(u, t))
                            {
                                return false;
                            }
                        }
                        None => cs.push((n, ts)),
                    }
                }
                Constraint::Sum(cs)
            }
            _ => return false,
        };
        let (dv, dw) = (self.metas.demand(v), self.metas.demand(w));
        let (v, w) = self.metas.lower_first(v, w);
        self.metas.link_metas(v, w);
        self.metas.constrain(w, merged.clone());
        // Also of what either has brought along.
        self.metas.set_demand(w, Demand::NONE);
        if !self.demand(&Type::Param(w), dv.and(dw)) {
            return false;
        }
        let fits = match merged {
            Constraint::Any | Constraint::Prims(_) => Ok(()),
            Constraint::Record(fs) => fs.iter().try_for_each(|(_, t)| self.metas.fit(w, t)),
            Constraint::Sum(cs) => {
                cs.iter().flat_map(|(_, ts)| ts).try_for_each(|t| self.metas.fit(w, t))
            }
        };
        match fits {
            Ok(()) => true,
            Err(refusal) => self.refuse(refusal, w, &Type::Param(w)),
        }
    }

    /// Remembers why `ty` does not stand for the unknown `v`.
    fn refuse(&mut self, refusal: Refusal, v: VarId, ty: &Type) -> bool {
        match refusal {
            Refusal::Occurs => self.violation = Some(Violation::Infinite(v, ty.clone())),
            Refusal::Scope(w) => {
                self.blame.get_or_insert(Blame::Scope(w));
            }
            Refusal::Bound(w) => {
                self.blame.get_or_insert_with(|| Blame::Anonymous(w, ty.clone()));
            }
        }
        false
    }

    fn unify_strictly(&mut self, a: &Type, b: &Type) -> bool {
        let outer = std::mem::replace(&mut self.sizes_may_differ, false);
        let ok = self.unify(a, b);
        self.sizes_may_differ = outer;
        ok
    }

    /// Gives metavariable `v` the type `t`, which is none itself.
    fn solve(&mut self, v: VarId, t: &Type) -> bool {
        let constraint = self.metas.constraint(v);
        let demand = self.metas.demand(v);
        let possible = match (&constraint, t) {
            (Constraint::Any, _)
            | (Constraint::Record(_), Type::Record(_))
            | (Constraint::Sum(_), Type::Sum(_)) => true,
            (Constraint::Prims(set), Type::Prim(p)) => set.has(*p),
            _ => false,
        };
        // What is refused must not be bound, or it would be taken for known afterwards.
        if !possible {
            return self.shapes_differ();
        }
        if self.sizes_may_differ && matches!(constraint, Constraint::Record(_) | Constraint::Sum(_))
        {
            // Its parts have sizes of their own, which need not be those of `t`.
            let own = self.freshen(t, false);
            self.sizes_may_differ = false;
            let ok = self.solve(v, &own);
            self.sizes_may_differ = true;
            if !ok || !self.unify(&own, t) {
                return false;
            }
            if let (Constraint::Sum(cs), Type::Sum(all), Type::Sum(known)) = (&constraint, &own, t)
            {
                self.any_sizes(cs, all, known);
            }
            return true;
        }
        if let Err(refusal) = self.metas.bind_type(v, t.clone()) {
            return self.refuse(refusal, v, t);
        }
        if !self.demand(t, demand) {
            return false;
        }
        match (constraint, t) {
            (Constraint::Record(fs), Type::Record(gs)) => fs.iter().all(|(n, t)| {
                gs.iter().find(|(m, _)| m == n).is_some_and(|(_, u)| self.unify(u, t))
            }),
            (Constraint::Sum(cs), Type::Sum(ds)) => cs.iter().all(|(n, ts)| {
                ds.iter().find(|(m, _)| m == n).is_some_and(|(_, us)| {
                    us.len() == ts.len() && us.iter().zip(ts).all(|(u, t)| self.unify(u, t))
                })
            }),
            _ => true,
        }
    }

    fn unify_arrows(&mut self, x: &Arc<Arrow>, y: &Arc<Arrow>) -> bool {
        // What is expected of a parameter is what the other side is given.
        if !self.unify(&y.param, &x.param) {
            return false;
        }
        let plain = |a: &Arrow| a.name.is_none() && a.ret_sizes.is_empty();
        if plain(x) && plain(y) {
            return self.unify(&x.ret, &y.ret);
        }
        let mut sx = Subst::default();
        let mut sy = Subst::default();
        if let Some(name) = x.name.or(y.name) {
            let shared = self.arrow_size(name.name);
            let shared = Size::Var(shared);
            if let Some(v) = x.name {
                sx.sizes.insert(v, shared.clone());
            }
            if let Some(v) = y.name {
                sy.sizes.insert(v, shared);
            }
        }
        for v in &y.ret_sizes {
            sy.sizes.insert(*v, Size::Var(self.arrow_size(v.name)));
        }
        for v in &x.ret_sizes {
            sx.sizes.insert(*v, self.metas.fresh_existential());
        }
        let (rx, ry) = (sx.ty(&self.metas.zonk(&x.ret)), sy.ty(&self.metas.zonk(&y.ret)));
        self.unify(&rx, &ry)
    }

    /// A size that stands for what an arrow binds while the arrow's result is looked at.
    fn arrow_size(&mut self, name: Name) -> VarId {
        let v = self.cx.fresh_var(name);
        self.unnamed.insert(v);
        self.metas.bound(v, Binder::Arrow);
        v
    }

    /// Makes the sizes equal, if that is possible.
    pub(crate) fn unify_size(&mut self, a: &Size, b: &Size) -> bool {
        let a = self.metas.size_head(a);
        let b = self.metas.size_head(b);
        match (&a, &b) {
            _ if a == b => true,
            (Size::Unknown, _) | (_, Size::Unknown) => true,
            (Size::Var(v), s) | (s, Size::Var(v)) if is_meta(*v) => {
                if self.sizes_may_differ && (self.held(&a, &b) || self.younger(s, *v)) {
                    return true;
                }
                match self.metas.bind_size(*v, s.clone()) {
                    Ok(()) => true,
                    Err(_) if self.same_size(&a, &b) || self.sizes_may_differ => true,
                    Err(Refusal::Occurs) => self.sizes_differ(a, b),
                    Err(Refusal::Scope(v)) => {
                        self.blame.get_or_insert(Blame::Scope(v));
                        false
                    }
                    Err(Refusal::Bound(_)) => self.sizes_differ(a, b),
                }
            }
            _ => {
                if self.same_size(&a, &b) {
                    return true;
                }
                if !self.size_open(&a) && !self.size_open(&b) {
                    return self.sizes_may_differ || self.sizes_differ(a, b);
                }
                if let (Size::Exp(x), Size::Exp(y)) = (&a, &b)
                    && self.same_shape(x, y)
                {
                    return self.unify_size_parts(x, y);
                }
                if !self.sizes_may_differ {
                    let span = self.unify_span;
                    self.deferred.push((a, b, span));
                }
                true
            }
        }
    }

    /// Whether one is the size of something which branches have no say in. They are looked at as
    /// they are found, and not made to have one size (guide, "Branches of if return arrays of
    /// different sizes").
    fn held(&self, a: &Size, b: &Size) -> bool {
        let holder = |s: &Size| match s {
            Size::Var(v) if is_meta(*v) => Some(self.metas.holder(*v)),
            _ => None,
        };
        match (holder(a), holder(b)) {
            (Some(x), Some(y)) => x.max(y) == Holder::Parameter,
            (x, y) => x.or(y).is_some_and(|held| held > Holder::Made),
        }
    }

    fn sizes_differ(&mut self, a: Size, b: Size) -> bool {
        self.blame.get_or_insert(Blame::Sizes(a, b));
        false
    }

    /// Whether a size mentions a variable that was bound by a pattern after `v` came up, or an
    /// unknown size, and so may not be in scope where `v` is.
    fn younger(&self, size: &Size, v: VarId) -> bool {
        let birth = self.metas.size_birth(v);
        let mut younger = false;
        size_vars(&self.metas.zonk_size(size), &mut |w| {
            younger |= !is_meta(w)
                && w.tag > birth
                && (w.tag <= self.metas.clock || self.size_sources.contains_key(&w));
        });
        younger
    }

    /// Whether two size expressions apply the same operation to as many parts.
    fn same_shape(&self, x: &Exp, y: &Exp) -> bool {
        match (&x.kind, &y.kind) {
            (ExpKind::App { fun: f, args: xs, .. }, ExpKind::App { fun: g, args: ys, .. }) => {
                xs.len() == ys.len()
                    && match (&f.kind, &g.kind) {
                        (ExpKind::Intrinsic(m, _), ExpKind::Intrinsic(n, _)) => m == n,
                        (ExpKind::Global(m, _), ExpKind::Global(n, _)) => m == n,
                        (ExpKind::Var(m, _), ExpKind::Var(n, _)) => m == n,
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    fn unify_size_parts(&mut self, x: &Exp, y: &Exp) -> bool {
        if let (ExpKind::App { args: xs, .. }, ExpKind::App { args: ys, .. }) = (&x.kind, &y.kind) {
            return xs.iter().zip(ys).all(|(x, y)| {
                let (x, y) = (self.part_size(x), self.part_size(y));
                self.unify_size(&x, &y)
            });
        }
        false
    }

    fn part_size(&self, e: &Exp) -> Size {
        self.exp_size(e).unwrap_or_else(|| exp_to_size(e.clone()))
    }

    /// The type with every size replaced by an unknown one. Those already unknown stay if
    /// `keep_open`.
    pub(crate) fn freshen(&mut self, ty: &Type, keep_open: bool) -> Type {
        self.freshen_with(ty, keep_open, &mut |_, _| {})
    }

    /// As [`Checker::freshen`], telling `note` of each new unknown and what it replaced.
    pub(crate) fn freshen_noting(&mut self, ty: &Type, note: &mut dyn FnMut(VarId, Size)) -> Type {
        self.freshen_with(ty, false, note)
    }

    fn freshen_with(
        &mut self,
        ty: &Type,
        keep_open: bool,
        note: &mut dyn FnMut(VarId, Size),
    ) -> Type {
        match self.metas.head(ty) {
            Type::Array { size: s, elem } => {
                let s = self.freshen_size(&s, keep_open, note);
                let elem = self.freshen_with(&elem, keep_open, note);
                elem.array(s)
            }
            Type::Record(fields) => Type::Record(
                fields.iter().map(|(n, t)| (*n, self.freshen_with(t, keep_open, note))).collect(),
            ),
            Type::Sum(cs) => Type::Sum(
                cs.iter()
                    .map(|(n, ts)| {
                        let ts = ts.iter().map(|t| self.freshen_with(t, keep_open, note));
                        (*n, ts.collect())
                    })
                    .collect(),
            ),
            Type::Opaque(id, args) => Type::Opaque(
                id,
                args.iter()
                    .map(|arg| match arg {
                        TypeArg::Size(s) => TypeArg::Size(self.freshen_size(s, keep_open, note)),
                        TypeArg::Type(t) => TypeArg::Type(self.freshen_with(t, keep_open, note)),
                    })
                    .collect(),
            ),
            // Functions keep their sizes: they cannot differ between branches or iterations.
            t @ (Type::Prim(_) | Type::Arrow(_) | Type::Param(_)) => t,
        }
    }

    fn freshen_size(
        &mut self,
        size: &Size,
        keep_open: bool,
        note: &mut dyn FnMut(VarId, Size),
    ) -> Size {
        let size = self.metas.zonk_size(size);
        if keep_open && matches!(size, Size::Var(v) if is_meta(v)) {
            return size;
        }
        let v = self.metas.fresh_size_var();
        note(v, size);
        Size::Var(v)
    }
}
