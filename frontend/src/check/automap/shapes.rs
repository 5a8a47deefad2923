//! Types without sizes, split into a rank and what is below it.
//!
//! `[n][m](i32, []f32)` has rank 2 and, below it, a record whose second field has rank 1. A type
//! variable has a rank of its own, so that it can stand for arrays. Below the rank nothing is an
//! array, and what differs there (`i32` and `f64`) is of no concern here: the ordinary checker
//! looks at it when the maps and reps are in place.

use super::ranks::{Rank, RankVar, Ranks};
use futc_typed::name::Name;
use futc_typed::program::{TypeId, VarId};
use futc_typed::types::{Type, TypeArg};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A type without sizes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shape {
    pub(super) rank: Rank,
    pub(super) base: Base,
}

/// What is below the rank.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Base {
    /// Some primitive type.
    Scalar,
    /// Not known yet.
    Meta(u32),
    /// A type parameter of a definition around.
    Param(VarId),
    /// An abstract type.
    Opaque(TypeId, Arc<[Shape]>),
    /// A record.
    Record(Arc<[(Name, Shape)]>),
    /// A sum.
    Sum(Arc<[(Name, Vec<Shape>)]>),
    /// A function.
    Arrow(Arc<(Shape, Shape)>),
}

impl Shape {
    pub(super) fn of(base: Base) -> Shape {
        Shape { rank: Rank::default(), base }
    }

    pub(super) fn scalar() -> Shape {
        Shape::of(Base::Scalar)
    }

    pub(super) fn arrow(param: Shape, ret: Shape) -> Shape {
        Shape::of(Base::Arrow(Arc::new((param, ret))))
    }

    /// An array of such.
    pub(super) fn array(mut self) -> Shape {
        self.rank.constant += 1;
        self
    }
}

#[derive(Clone, Debug, Default)]
struct Meta {
    link: Option<Base>,
    /// It is a record with at least these fields.
    fields: Vec<(Name, Shape)>,
    /// It is a sum with at least these constructors.
    constrs: Vec<(Name, Vec<Shape>)>,
}

/// A polymorphic shape: of a local function.
#[derive(Debug)]
pub(super) struct PolyShape {
    pub(super) params: Vec<VarId>,
    pub(super) metas: Vec<u32>,
    pub(super) ranks: Vec<RankVar>,
    pub(super) shape: Shape,
}

/// All that is known while the shapes of a definition are inferred.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub(super) ranks: Ranks,
    metas: Vec<Meta>,
    /// By how much an unknown type was lifted: nothing, if it turns out to be a function.
    lifts: Vec<(Rank, Base)>,
}

impl Shapes {
    /// A type of which nothing is known.
    pub(super) fn fresh(&mut self) -> Shape {
        let rank = Rank::var(self.ranks.fresh());
        Shape { rank, base: self.fresh_base() }
    }

    pub(super) fn fresh_base(&mut self) -> Base {
        self.metas.push(Meta::default());
        Base::Meta(self.metas.len() as u32 - 1)
    }

    /// How many unknown bases there are.
    pub(super) fn meta_count(&self) -> u32 {
        self.metas.len() as u32
    }

    /// The base, if it is known.
    pub(super) fn head(&self, base: &Base) -> Base {
        let mut base = base;
        while let Base::Meta(m) = base
            && let Some(link) = self.metas.get(*m as usize).and_then(|m| m.link.as_ref())
        {
            base = link;
        }
        base.clone()
    }

    pub(super) fn unify(&mut self, a: &Shape, b: &Shape) {
        self.ranks.equal(&a.rank, &b.rank);
        self.unify_base(&a.base, &b.base);
    }

    /// Makes the bases equal as far as they can be.
    pub(super) fn unify_base(&mut self, a: &Base, b: &Base) {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Base::Meta(v), Base::Meta(w)) if v == w => {}
            (Base::Meta(v), _) => self.bind(*v, &b),
            (_, Base::Meta(w)) => self.bind(*w, &a),
            (Base::Record(xs), Base::Record(ys)) => {
                for (n, x) in xs.iter() {
                    if let Some((_, y)) = ys.iter().find(|(m, _)| m == n) {
                        self.unify(x, y);
                    }
                }
            }
            (Base::Sum(xs), Base::Sum(ys)) => {
                for (n, ts) in xs.iter() {
                    if let Some((_, us)) = ys.iter().find(|(m, _)| m == n) {
                        ts.iter().zip(us).for_each(|(t, u)| self.unify(t, u));
                    }
                }
            }
            (Base::Arrow(x), Base::Arrow(y)) if !Arc::ptr_eq(x, y) => {
                self.unify(&x.0, &y.0);
                self.unify(&x.1, &y.1);
            }
            (Base::Opaque(i, xs), Base::Opaque(j, ys)) if i == j => {
                xs.iter().zip(ys.iter()).for_each(|(x, y)| self.unify(x, y));
            }
            _ => {}
        }
    }

    fn bind(&mut self, v: u32, to: &Base) {
        if self.occurs(v, to) {
            return;
        }
        let Some(meta) = self.metas.get_mut(v as usize) else { return };
        meta.link = Some(to.clone());
        let fields = std::mem::take(&mut meta.fields);
        let constrs = std::mem::take(&mut meta.constrs);
        for (name, shape) in fields {
            if let Some(known) = self.field(to, name) {
                self.unify(&known, &shape);
            }
        }
        for (name, payload) in constrs {
            if let Some(known) = self.payload(to, name, &payload) {
                known.iter().zip(&payload).for_each(|(t, u)| self.unify(t, u));
            }
        }
    }

    fn occurs(&self, v: u32, base: &Base) -> bool {
        let mut found = false;
        self.each_open(base, &mut |w| found |= w == v, &mut |_| {});
        found
    }

    /// The field of a record, unless it is known that there is none.
    pub(super) fn field(&mut self, base: &Base, name: Name) -> Option<Shape> {
        match self.head(base) {
            Base::Record(fields) => fields.iter().find(|(n, _)| *n == name).map(|(_, t)| t.clone()),
            Base::Meta(m) => {
                let known = self.metas.get(m as usize)?.fields.iter().find(|(n, _)| *n == name);
                if let Some((_, t)) = known {
                    return Some(t.clone());
                }
                let t = self.fresh();
                self.metas.get_mut(m as usize)?.fields.push((name, t.clone()));
                Some(t)
            }
            _ => None,
        }
    }

    /// The payload of a constructor: as known, or `default` from now on.
    pub(super) fn payload(
        &mut self,
        base: &Base,
        name: Name,
        default: &[Shape],
    ) -> Option<Vec<Shape>> {
        match self.head(base) {
            Base::Sum(cs) => cs.iter().find(|(n, _)| *n == name).map(|(_, ts)| ts.clone()),
            Base::Meta(m) => {
                let constrs = &mut self.metas.get_mut(m as usize)?.constrs;
                if let Some((_, ts)) = constrs.iter().find(|(n, _)| *n == name) {
                    return Some(ts.clone());
                }
                constrs.push((name, default.to_vec()));
                Some(default.to_vec())
            }
            _ => None,
        }
    }

    /// The type with `by` more dimensions. A function is lifted by lifting what it takes and what
    /// it returns: there are no arrays of functions.
    pub(super) fn lift(&mut self, by: &Rank, shape: &Shape) -> Shape {
        if by.is_zero() {
            return shape.clone();
        }
        match self.head(&shape.base) {
            Base::Arrow(arrow) => {
                let param = if matches!(self.head(&arrow.0.base), Base::Arrow(_)) {
                    self.ranks.equal(by, &Rank::default());
                    arrow.0.clone()
                } else {
                    self.lift(by, &arrow.0)
                };
                let ret = self.lift(by, &arrow.1);
                Shape::arrow(param, ret)
            }
            base => {
                if matches!(base, Base::Meta(_)) {
                    self.lifts.push((by.clone(), base.clone()));
                }
                Shape { rank: shape.rank.plus(1, by), base }
            }
        }
    }

    /// Draws the consequences of what was lifted and then found to be a function.
    pub(super) fn settle_lifts(&mut self) {
        for (by, base) in std::mem::take(&mut self.lifts) {
            match self.head(&base) {
                Base::Arrow(_) => self.ranks.equal(&by, &Rank::default()),
                Base::Meta(_) => self.lifts.push((by, base)),
                _ => {}
            }
        }
    }

    /// How many arguments a value of this type can be applied to.
    pub(super) fn arity(&self, shape: &Shape) -> usize {
        let mut count = 0;
        let mut base = self.head(&shape.base);
        while let Base::Arrow(arrow) = base {
            count += 1;
            base = self.head(&arrow.1.base);
        }
        count
    }

    /// The shape of a type; `params` are the type parameters that are to be replaced.
    pub(super) fn of_type(&self, ty: &Type, params: &HashMap<VarId, Shape>) -> Shape {
        match ty {
            Type::Prim(_) => Shape::scalar(),
            Type::Array { elem, .. } => self.of_type(elem, params).array(),
            Type::Record(fields) => Shape::of(Base::Record(
                fields.iter().map(|(n, t)| (*n, self.of_type(t, params))).collect(),
            )),
            Type::Sum(cs) => Shape::of(Base::Sum(
                cs.iter()
                    .map(|(n, ts)| (*n, ts.iter().map(|t| self.of_type(t, params)).collect()))
                    .collect(),
            )),
            Type::Arrow(a) => {
                Shape::arrow(self.of_type(&a.param, params), self.of_type(&a.ret, params))
            }
            Type::Param(v) => params.get(v).cloned().unwrap_or_else(|| Shape::of(Base::Param(*v))),
            Type::Opaque(id, args) => Shape::of(Base::Opaque(
                *id,
                args.iter()
                    .filter_map(|arg| match arg {
                        TypeArg::Size(_) => None,
                        TypeArg::Type(t) => Some(self.of_type(t, params)),
                    })
                    .collect(),
            )),
        }
    }

    /// Calls the functions with every unknown base and every unknown rank in a base.
    fn each_open(&self, base: &Base, meta: &mut dyn FnMut(u32), rank: &mut dyn FnMut(RankVar)) {
        match self.head(base) {
            Base::Scalar | Base::Param(_) => {}
            Base::Meta(m) => {
                meta(m);
                let Some(state) = self.metas.get(m as usize) else { return };
                let payloads = state.constrs.iter().flat_map(|(_, ts)| ts);
                for t in state.fields.iter().map(|(_, t)| t).chain(payloads) {
                    self.each_open_shape(t, meta, rank);
                }
            }
            Base::Opaque(_, args) => {
                args.iter().for_each(|t| self.each_open_shape(t, meta, rank));
            }
            Base::Record(fields) => {
                fields.iter().for_each(|(_, t)| self.each_open_shape(t, meta, rank));
            }
            Base::Sum(cs) => {
                cs.iter().flat_map(|(_, ts)| ts).for_each(|t| self.each_open_shape(t, meta, rank));
            }
            Base::Arrow(a) => {
                self.each_open_shape(&a.0, meta, rank);
                self.each_open_shape(&a.1, meta, rank);
            }
        }
    }

    /// As [`Shapes::each_open`], for a whole type.
    pub(super) fn each_open_shape(
        &self,
        shape: &Shape,
        meta: &mut dyn FnMut(u32),
        rank: &mut dyn FnMut(RankVar),
    ) {
        for (v, _) in self.ranks.resolve(&shape.rank).terms {
            rank(v);
        }
        self.each_open(&shape.base, meta, rank);
    }

    /// What can be anything in the type of a local function: not what is known of variables
    /// around it (`outside`), nor what equations or applications still ask something of.
    pub(super) fn generalise(
        &self,
        shape: Shape,
        params: Vec<VarId>,
        outside: &[&Shape],
        bound: &[Rank],
    ) -> PolyShape {
        let mut fixed_metas = HashSet::new();
        let mut fixed_ranks = HashSet::new();
        for s in outside {
            self.each_open_shape(
                s,
                &mut |m| {
                    fixed_metas.insert(m);
                },
                &mut |v| {
                    fixed_ranks.insert(v);
                },
            );
        }
        let lifted = self.lifts.iter().map(|(by, _)| by);
        for rank in self.ranks.pending.iter().chain(bound).chain(lifted) {
            fixed_ranks.extend(self.ranks.resolve(rank).terms.iter().map(|(v, _)| *v));
        }
        for (_, base) in &self.lifts {
            self.each_open(
                base,
                &mut |m| {
                    fixed_metas.insert(m);
                },
                &mut |_| {},
            );
        }
        let (mut metas, mut ranks) = (Vec::new(), Vec::new());
        self.each_open_shape(
            &shape,
            &mut |m| {
                let plain = self
                    .metas
                    .get(m as usize)
                    .is_some_and(|s| s.fields.is_empty() && s.constrs.is_empty());
                if plain && !fixed_metas.contains(&m) && !metas.contains(&m) {
                    metas.push(m);
                }
            },
            &mut |v| {
                if !fixed_ranks.contains(&v) && !ranks.contains(&v) {
                    ranks.push(v);
                }
            },
        );
        PolyShape { params, metas, ranks, shape }
    }

    /// A fresh instance.
    pub(super) fn instantiate(&mut self, poly: &PolyShape) -> Shape {
        let params = poly.params.iter().map(|v| (*v, self.fresh())).collect();
        let metas = poly.metas.iter().map(|m| (*m, self.fresh_base())).collect();
        let ranks = poly.ranks.iter().map(|v| (*v, Rank::var(self.ranks.fresh()))).collect();
        self.copy(&poly.shape, &Copies { params, metas, ranks })
    }

    fn copy(&self, shape: &Shape, copies: &Copies) -> Shape {
        let mut rank = Rank::default();
        let known = self.ranks.resolve(&shape.rank);
        rank.constant = known.constant;
        for (v, c) in &known.terms {
            let own = Rank::var(*v);
            rank = rank.plus(*c, copies.ranks.get(v).unwrap_or(&own));
        }
        let all = |ts: &[Shape]| ts.iter().map(|t| self.copy(t, copies)).collect::<Vec<_>>();
        let base = match self.head(&shape.base) {
            Base::Scalar => Base::Scalar,
            Base::Meta(m) => copies.metas.get(&m).cloned().unwrap_or(Base::Meta(m)),
            Base::Param(v) => match copies.params.get(&v) {
                Some(t) => {
                    return Shape { rank: rank.plus(1, &t.rank), base: t.base.clone() };
                }
                None => Base::Param(v),
            },
            Base::Opaque(id, args) => Base::Opaque(id, all(&args).into()),
            Base::Record(fields) => {
                Base::Record(fields.iter().map(|(n, t)| (*n, self.copy(t, copies))).collect())
            }
            Base::Sum(cs) => Base::Sum(cs.iter().map(|(n, ts)| (*n, all(ts))).collect()),
            Base::Arrow(a) => {
                Base::Arrow(Arc::new((self.copy(&a.0, copies), self.copy(&a.1, copies))))
            }
        };
        Shape { rank, base }
    }
}

/// What replaces what in an instance.
struct Copies {
    params: HashMap<VarId, Shape>,
    metas: HashMap<u32, Base>,
    ranks: HashMap<RankVar, Rank>,
}
