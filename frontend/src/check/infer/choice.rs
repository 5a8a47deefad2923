//! The type of a choice: what `if` and `match` make of the types of their branches.
//!
//! ```text
//! if c then iota n else iota m                  [k]i64                    k new, of n and m
//! if c then (iota n, 1) else (iota n, 2)        ([n]i64, i32)             n in both
//! if c then #some (iota n) else #some (iota m)  #some ([k]i64) | …
//! ```
//!
//! The type of `#some (iota n)` is not known before all its constructors are, which may be known
//! only outside of the choice. So where payloads differ in size, each branch and the choice have
//! unknown sum types of their own, of which is noted that they are the same but for sizes
//! ([`Choice`]); they are told apart when the definition has been walked. Sizes of constructors
//! that a branch does not use are those of the choice; any, if the choice itself makes these.

use crate::check::infer::checker::{Checker, Choice, SizeSource};
use crate::check::infer::unknown::{Constraint, is_meta};
use crate::check::types::subst::{size_vars, size_vars_of_type};
use futc_typed::name::Name;
use futc_typed::program::VarId;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::HashMap;

/// Constructors with their payloads.
pub(crate) type Constrs = Vec<(Name, Vec<Type>)>;

/// What is known of a sum type.
pub(crate) enum Sum {
    /// All constructors.
    Closed(Type),
    /// Some, of this unknown.
    Open(VarId, Constrs),
}

impl Checker<'_> {
    /// The type of a choice between values of two types: sizes that differ become new ones.
    pub(crate) fn join(&mut self, a: &Type, b: &Type) -> Option<Type> {
        // Unknown sizes become those of the other side; known ones may differ.
        let outer = std::mem::replace(&mut self.sizes_may_differ, true);
        let ok = self.try_unify(a, b);
        self.sizes_may_differ = outer;
        if !ok {
            return None;
        }
        Some(self.join_sizes(a, b, &mut HashMap::new()))
    }

    fn join_sizes(&mut self, a: &Type, b: &Type, made: &mut HashMap<String, VarId>) -> Type {
        match (self.metas.head(a), self.metas.head(b)) {
            (Type::Array { size: m, elem: x }, Type::Array { size: n, elem: y }) => {
                let size = self.join_size(&m, &n, made);
                self.join_sizes(&x, &y, made).array(size)
            }
            (Type::Record(xs), Type::Record(ys)) => Type::Record(
                xs.iter()
                    .zip(ys.iter())
                    .map(|((n, x), (_, y))| (*n, self.join_sizes(x, y, made)))
                    .collect(),
            ),
            (Type::Sum(xs), Type::Sum(ys)) => Type::Sum(self.join_constrs(&xs, &ys, made).into()),
            (Type::Opaque(id, xs), Type::Opaque(_, ys)) => Type::Opaque(
                id,
                xs.iter()
                    .zip(ys.iter())
                    .map(|(x, y)| match (x, y) {
                        (TypeArg::Size(m), TypeArg::Size(n)) => {
                            TypeArg::Size(self.join_size(m, n, made))
                        }
                        (TypeArg::Type(t), TypeArg::Type(u)) => {
                            TypeArg::Type(self.join_sizes(t, u, made))
                        }
                        (x, _) => x.clone(),
                    })
                    .collect(),
            ),
            (a @ Type::Param(_), b @ Type::Param(_)) if a != b => {
                match (self.sum(&a), self.sum(&b)) {
                    (Some(Sum::Open(_, xs)), Some(Sum::Open(_, ys))) => {
                        let constrs = self.join_constrs(&xs, &ys, made);
                        let whole = self.metas.fresh(Constraint::Sum(constrs));
                        let span = self.unify_span;
                        for branch in [a, b] {
                            self.choices.push(Choice { branch, whole: whole.clone(), span });
                        }
                        whole
                    }
                    _ => a,
                }
            }
            (a, _) => a,
        }
    }

    fn join_constrs(
        &mut self,
        xs: &[(Name, Vec<Type>)],
        ys: &[(Name, Vec<Type>)],
        made: &mut HashMap<String, VarId>,
    ) -> Constrs {
        xs.iter()
            .map(|(n, ts)| {
                let us = ys.iter().find(|(m, _)| m == n).map_or(&[][..], |(_, us)| us);
                let ts = ts.iter().zip(us).map(|(t, u)| self.join_sizes(t, u, made));
                (*n, ts.collect())
            })
            .collect()
    }

    fn join_size(&mut self, m: &Size, n: &Size, made: &mut HashMap<String, VarId>) -> Size {
        let (m, n) = (self.metas.zonk_size(m), self.metas.zonk_size(n));
        if n == Size::Unknown || self.same_size(&m, &n) {
            return m;
        }
        if m == Size::Unknown {
            return n;
        }
        let key = format!("{}|{}", self.size_key(&m), self.size_key(&n));
        if let Some(v) = made.get(&key) {
            return Size::Var(*v);
        }
        let v = self.new_size(Name::new("k"), self.unify_span, SizeSource::Branches);
        made.insert(key, v);
        Size::Var(v)
    }

    /// Makes two unknown sum types the same but for sizes. `None` if they may as well be one.
    pub(crate) fn unify_apart(
        &mut self,
        v: VarId,
        w: VarId,
        cs: &Constrs,
        ds: &Constrs,
    ) -> Option<bool> {
        let mut pairs = Vec::new();
        for (n, ts) in cs {
            let Some((_, us)) = ds.iter().find(|(m, _)| m == n) else { continue };
            if ts.len() != us.len() || !ts.iter().zip(us).all(|(t, u)| self.unify(t, u)) {
                return Some(false);
            }
            ts.iter().zip(us).for_each(|(t, u)| self.size_pairs(t, u, &mut pairs));
        }
        let alike = pairs.iter().all(|(m, n)| self.same_size(m, n));
        if alike && self.sizes_told(cs, ds) && self.sizes_told(ds, cs) {
            return None;
        }
        self.add_constrs(v, cs, ds);
        self.add_constrs(w, ds, cs);
        Some(true)
    }

    /// Whether the sizes of constructors that only `cs` has can exist before the choice.
    fn sizes_told(&self, cs: &Constrs, ds: &Constrs) -> bool {
        let only = cs.iter().filter(|(n, _)| !ds.iter().any(|(m, _)| m == n));
        let mut told = true;
        for t in only.flat_map(|(_, ts)| ts) {
            size_vars_of_type(&self.metas.zonk(t), &mut |v| told &= !self.of_branches(v));
        }
        told
    }

    /// Whether a size is that of the branch which is taken, so that no other branch can have it.
    fn of_branches(&self, v: VarId) -> bool {
        matches!(self.size_sources.get(&v), Some((_, SizeSource::Branches)))
    }

    /// Lets the unknown `v` have the constructors it lacks, with sizes of their own.
    pub(crate) fn add_constrs(&mut self, v: VarId, own: &Constrs, others: &Constrs) -> bool {
        let mut all = own.clone();
        for (n, ts) in others {
            if !own.iter().any(|(m, _)| m == n) {
                all.push((*n, ts.iter().map(|t| self.freshen(t, false)).collect()));
            }
        }
        let more = all.len() > own.len();
        if more {
            self.any_sizes(own, &all, others);
            self.metas.constrain(v, Constraint::Sum(all));
        }
        more
    }

    /// Closes sum types in `ty` that are closed in `like`, whatever the sizes: they hold sizes that
    /// must be seen before `ty` leaves the scope of these.
    pub(crate) fn close_sums(&mut self, ty: &Type, like: &Type) {
        if !self.has_open_sum(&self.metas.zonk(ty)) {
            return;
        }
        let shape = self.freshen(like, false);
        let outer = std::mem::replace(&mut self.sizes_may_differ, true);
        // If they do not fit, that is said where they must.
        self.try_unify(&shape, ty);
        self.violation = None;
        self.blame = None;
        self.sizes_may_differ = outer;
    }

    fn has_open_sum(&self, ty: &Type) -> bool {
        match ty {
            Type::Prim(_) | Type::Arrow(_) => false,
            Type::Param(_) => matches!(self.sum(ty), Some(Sum::Open(..))),
            Type::Array { elem, .. } => self.has_open_sum(elem),
            Type::Record(fields) => fields.iter().any(|(_, t)| self.has_open_sum(t)),
            Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).any(|t| self.has_open_sum(t)),
            Type::Opaque(_, args) => args.iter().any(|arg| match arg {
                TypeArg::Size(_) => false,
                TypeArg::Type(t) => self.has_open_sum(t),
            }),
        }
    }

    pub(crate) fn sum(&self, ty: &Type) -> Option<Sum> {
        match self.metas.head(ty) {
            t @ Type::Sum(_) => Some(Sum::Closed(t)),
            t => {
                let v = self.metas.as_meta(&t)?;
                match self.metas.constraint(v) {
                    Constraint::Sum(constrs) => Some(Sum::Open(v, constrs)),
                    Constraint::Any | Constraint::Prims(_) | Constraint::Record(_) => None,
                }
            }
        }
    }

    /// Settles the sizes in `all` that are still open. Those of constructors in `own` are what they
    /// are there; the others are as in `known`, unless these are made by the choice itself: then any
    /// size does, as the branch makes no such array.
    pub(crate) fn any_sizes(
        &mut self,
        own: &[(Name, Vec<Type>)],
        all: &[(Name, Vec<Type>)],
        known: &[(Name, Vec<Type>)],
    ) {
        for (n, ts) in all {
            let named = |(m, _): &&(Name, Vec<Type>)| m == n;
            let Some((_, us)) = own.iter().find(named).or_else(|| known.iter().find(named)) else {
                continue;
            };
            let mut pairs = Vec::new();
            ts.iter().zip(us).for_each(|(t, u)| self.size_pairs(t, u, &mut pairs));
            for (size, like) in pairs {
                let (size, like) = (self.metas.size_head(&size), self.metas.size_head(&like));
                let Size::Var(v) = size else { continue };
                if !is_meta(v) || like == size {
                    continue;
                }
                let mut free = false;
                size_vars(&self.metas.zonk_size(&like), &mut |w| free |= self.of_branches(w));
                if free || self.metas.bind_size(v, like).is_err() {
                    self.metas.set_size(v, Size::Unknown);
                }
            }
        }
    }
}

impl Checker<'_> {
    /// Sizes at the same places of two types.
    pub(crate) fn size_pairs(&self, a: &Type, b: &Type, out: &mut Vec<(Size, Size)>) {
        match (self.metas.head(a), self.metas.head(b)) {
            (Type::Array { size: m, elem: x }, Type::Array { size: n, elem: y }) => {
                out.push((m, n));
                self.size_pairs(&x, &y, out);
            }
            (Type::Record(xs), Type::Record(ys)) => {
                for ((_, x), (_, y)) in xs.iter().zip(ys.iter()) {
                    self.size_pairs(x, y, out);
                }
            }
            (Type::Sum(xs), Type::Sum(ys)) => {
                for ((_, ts), (_, us)) in xs.iter().zip(ys.iter()) {
                    for (t, u) in ts.iter().zip(us) {
                        self.size_pairs(t, u, out);
                    }
                }
            }
            (Type::Opaque(_, xs), Type::Opaque(_, ys)) => {
                for (x, y) in xs.iter().zip(ys.iter()) {
                    match (x, y) {
                        (TypeArg::Size(m), TypeArg::Size(n)) => out.push((m.clone(), n.clone())),
                        (TypeArg::Type(t), TypeArg::Type(u)) => self.size_pairs(t, u, out),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}
