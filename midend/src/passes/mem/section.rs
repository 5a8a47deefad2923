//! Parts of arrays, and whether they overlap.
//!
//! A *section* is a set of elements of an array, its *root*: one index per dimension, in terms of
//! variables that range over all their values. What is read or written through views (slices,
//! elements, permutations, other names) becomes a section of the array that they are views of.
//! Indexes are in bounds, as the certificates say; so two sections of arrays that lie at one place
//! have an element in common only if *every* index can be equal, and it suffices to show of one
//! dimension that it cannot:
//!
//! ```text
//! a[k, 0..n]     and     a[k+1+i, 0..n]     i ≥ 0, so k ≠ k+1+i: apart
//! ```
//!
//! An array that lies in a part of another's place is taken for a section of it if its LMAD can be
//! taken apart into indexes that are in bounds: see [`Sections::within`].

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::VarMap;
use crate::ir::{
    ConvOp, Defs, DimIndex, Exp, IntType, Lmad, LmadDim, LoopForm, MemBind, NameSource, Param,
    PatElem, Poly, Program, Ranges, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// A set of elements of `root`.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// The array.
    pub(super) root: Var,
    /// One index per dimension.
    pub(super) at: Vec<Poly>,
    /// Indexes and sizes of slices on the way there: if the section has elements, they are in
    /// bounds.
    inside: Vec<Var>,
}

/// What an array is a view of.
enum View {
    Same(Var),
    Slice(Var, Vec<DimIndex>),
    Permuted(Var, Vec<usize>),
}

/// What a program says of its arrays' places and of the variables in them.
pub(super) struct Sections {
    pub(super) defs: Defs,
    ranges: Ranges,
    places: VarMap<(Type, MemBind)>,
    views: VarMap<View>,
    names: NameSource,
}

impl Sections {
    pub(super) fn of_program(prog: &Program) -> Sections {
        let mut s = Sections {
            defs: Defs::default(),
            ranges: Ranges::default(),
            places: VarMap::default(),
            views: VarMap::default(),
            names: NameSource::new(prog.next_tag),
        };
        s.body(&prog.consts);
        for p in &prog.globals {
            s.pat_elem(p);
        }
        for f in &prog.funs {
            s.fun(f);
        }
        s
    }

    /// The type and place of an array.
    pub(super) fn place(&self, v: Var) -> Option<&(Type, MemBind)> {
        self.places.get(&v)
    }

    /// The block of an array.
    pub(super) fn block(&self, v: Var) -> Option<Var> {
        self.places.get(&v).map(|(_, m)| m.block)
    }

    /// All elements.
    pub(super) fn whole(&mut self, v: Var) -> Option<Section> {
        let shape = self.places.get(&v)?.0.shape().to_vec();
        let dims: Vec<DimIndex> = shape.into_iter().map(DimIndex::full).collect();
        self.slice(v, &dims).map(|(section, _)| section)
    }

    /// The elements that `dims` selects, and the variables that stand for the indexes of the
    /// result, in order.
    pub(super) fn slice(&mut self, v: Var, dims: &[DimIndex]) -> Option<(Section, Vec<Var>)> {
        let mut counters = Vec::new();
        let at = dims
            .iter()
            .map(|d| match d {
                DimIndex::Fix(i) => Poly::leaf(*i),
                DimIndex::Slice { start, n, stride } => {
                    let x = self.counter(&Poly::leaf(*n));
                    counters.push(x);
                    Poly::leaf(*start).add(&Poly::leaf(*stride).mul(&Poly::var(x)))
                }
            })
            .collect();
        let mut section = self.resolve(v, at)?;
        inside(dims, &mut section.inside);
        Some((section, counters))
    }

    /// A variable for any index below `n`.
    fn counter(&mut self, n: &Poly) -> Var {
        let x = self.names.fresh("x");
        self.ranges.counter(x, Some(n.sub(&Poly::constant(1))));
        x
    }

    /// An element of a view as one of what it is a view of.
    fn resolve(&self, mut root: Var, mut at: Vec<Poly>) -> Option<Section> {
        let mut variables = Vec::new();
        while let Some(view) = self.views.get(&root) {
            match view {
                View::Same(v) => root = *v,
                View::Slice(v, dims) => {
                    inside(dims, &mut variables);
                    let mut rest = at.into_iter();
                    at = dims
                        .iter()
                        .map(|d| match d {
                            DimIndex::Fix(i) => Some(Poly::leaf(*i)),
                            DimIndex::Slice { start, n: _, stride } => {
                                let i = rest.next()?;
                                Some(Poly::leaf(*start).add(&Poly::leaf(*stride).mul(&i)))
                            }
                        })
                        .collect::<Option<Vec<Poly>>>()?;
                    root = *v;
                }
                View::Permuted(v, perm) => {
                    let mut old = vec![Poly::default(); at.len()];
                    for (i, d) in at.into_iter().zip(perm) {
                        *old.get_mut(*d)? = i;
                    }
                    at = old;
                    root = *v;
                }
            }
        }
        Some(Section { root, at, inside: variables })
    }

    /// Have the two certainly no element in common? They lie in one block.
    pub(super) fn apart(&mut self, a: &Section, b: &Section) -> bool {
        let Some((a, b)) = self.alike(a, b) else { return false };
        // If one has no elements, they have none in common.
        let sizes = [self.sizes(&a), self.sizes(&b)].concat();
        let mut differences = a.at.iter().zip(&b.at).map(|(x, y)| x.sub(y));
        differences.any(|d| self.ranges.never_zero(&d, &self.defs, &sizes))
    }

    /// Does `a`, at every dimension of the first `n` that vary in `b`, have the index that `b` has
    /// if the variables of `b` are those of `point`?
    pub(super) fn follows(
        &mut self,
        a: &Section,
        (b, counters): (&Section, &[Var]),
        point: &[Var],
    ) -> bool {
        let Some((a, b)) = self.alike(a, b) else { return false };
        counters.iter().zip(point).all(|(x, i)| {
            b.at.iter().zip(&a.at).any(|(there, here)| {
                there.vars().contains(x)
                    && self.defs.equal(here, &there.substitute(*x, &Poly::var(*i)))
            })
        }) && counters.len() >= point.len()
    }

    /// The two as sections of arrays at one place without gaps, where different indexes are
    /// different elements.
    fn alike(&mut self, a: &Section, b: &Section) -> Option<(Section, Section)> {
        let (_, p) = self.places.get(&a.root)?;
        let (_, q) = self.places.get(&b.root)?;
        if p.block != q.block || a.at.len() != p.lmad.dims.len() || b.at.len() != q.lmad.dims.len()
        {
            return None;
        }
        if p.lmad.same_place(&q.lmad, &self.defs) {
            return q.lmad.is_contiguous(&self.defs).then(|| (a.clone(), b.clone()));
        }
        let (p, q) = (p.lmad.clone(), q.lmad.clone());
        let sizes = [self.sizes(a), self.sizes(b)].concat();
        if q.is_contiguous(&self.defs)
            && let Some(i) = self.within(&p, &q, &sizes)
        {
            return Some((i.section(a, b.root), b.clone()));
        }
        if p.is_contiguous(&self.defs)
            && let Some(i) = self.within(&q, &p, &sizes)
        {
            return Some((a.clone(), i.section(b, a.root)));
        }
        None
    }

    /// The variables that are sizes or indexes of an array that has elements, if the section has.
    pub(super) fn sizes(&self, s: &Section) -> Vec<Var> {
        let Some((ty, _)) = self.places.get(&s.root) else { return Vec::new() };
        let mut out: Vec<Var> = ty.shape().iter().filter_map(|n| n.var()).collect();
        out.extend(&s.inside);
        for k in 0..out.len() {
            let p = self.defs.expand(&Poly::var(out[k]));
            // Another name, not an expression, whose parts might be anything.
            out.extend(p.vars().into_iter().filter(|v| p == Poly::var(*v)));
        }
        out
    }

    /// The indexes of `outer`, which has no gaps, that `inner` is made of: for every dimension of
    /// `outer`, where it starts, and by which dimensions of `inner` it goes on in what steps.
    /// `None` if an index but the first might be out of bounds, as then it would stand for another
    /// element than the one that is meant. `sizes`: as in [`Ranges::never_negative`].
    pub(super) fn within(&self, inner: &Lmad, outer: &Lmad, sizes: &[Var]) -> Option<Inside> {
        let mut rest = Poly::of(&inner.offset).sub(&Poly::of(&outer.offset));
        let mut starts = Vec::with_capacity(outer.dims.len());
        for d in &outer.dims {
            let (start, left) = rest.divide(&Poly::of(&d.stride))?;
            starts.push(start);
            rest = left;
        }
        if !rest.is_zero() {
            return None;
        }
        let mut steps = Vec::with_capacity(inner.dims.len());
        for d in &inner.dims {
            let one = |o: &LmadDim| {
                let (step, left) = Poly::of(&d.stride).divide(&Poly::of(&o.stride))?;
                step.as_const().filter(|step| left.is_zero() && *step != 0)
            };
            // Dimensions of one element have the stride of the one before.
            let same = outer.dims.iter().position(|o| o.n == d.n && one(o) == Some(1));
            let found = same.or_else(|| outer.dims.iter().position(|o| one(o).is_some()))?;
            steps.push((found, one(outer.dims.get(found)?)?));
        }
        for (k, (start, d)) in starts.iter().zip(&outer.dims).enumerate().skip(1) {
            let (mut least, mut last) = (start.clone(), start.clone());
            for (i, (dim, step)) in inner.dims.iter().zip(&steps) {
                let span = Poly::leaf(i.n).sub(&Poly::constant(1)).mul(&Poly::constant(*step));
                if *dim == k && *step > 0 {
                    last = last.add(&span);
                } else if *dim == k {
                    least = least.add(&span);
                }
            }
            let room = Poly::leaf(d.n).sub(&Poly::constant(1)).sub(&last);
            // What spans a dimension exactly needs no proof.
            let full = |p: &Poly| self.defs.expand(p).is_zero();
            if !(full(&least) || self.ranges.never_negative(&least, &self.defs, sizes))
                || !(full(&room) || self.ranges.never_negative(&room, &self.defs, sizes))
            {
                return None;
            }
        }
        Some(Inside { starts, steps })
    }
}

/// The variables that are in bounds if `dims` selects anything.
fn inside(dims: &[DimIndex], out: &mut Vec<Var>) {
    for d in dims {
        match d {
            DimIndex::Fix(i) => out.extend(i.var()),
            DimIndex::Slice { start, n, stride: _ } => {
                out.extend(start.var());
                out.extend(n.var());
            }
        }
    }
}

/// How an LMAD goes through another.
pub(super) struct Inside {
    /// The first index of every dimension.
    starts: Vec<Poly>,
    /// For every dimension of the inner one, the dimension it walks through, and in what steps.
    steps: Vec<(usize, i64)>,
}

impl Inside {
    /// The section as one of `root`, which lies at the outer LMAD.
    fn section(&self, s: &Section, root: Var) -> Section {
        let mut at = self.starts.clone();
        for ((d, step), x) in self.steps.iter().zip(&s.at) {
            if let Some(sum) = at.get_mut(*d) {
                *sum = sum.add(&x.mul(&Poly::constant(*step)));
            }
        }
        Section { root, at, inside: s.inside.clone() }
    }

    /// The inner LMAD if the outer one lay at `target`, which has as many dimensions.
    pub(super) fn moved(&self, inner: &Lmad, target: &Lmad) -> Option<Lmad> {
        let mut offset = Poly::of(&target.offset);
        for (start, d) in self.starts.iter().zip(&target.dims) {
            offset = offset.add(&start.mul(&Poly::of(&d.stride)));
        }
        let mut dims = Vec::with_capacity(inner.dims.len());
        for (d, (to, step)) in inner.dims.iter().zip(&self.steps) {
            let stride = Poly::of(&target.dims.get(*to)?.stride).mul(&Poly::constant(*step));
            dims.push(LmadDim { n: d.n, stride: stride.to_size() });
        }
        Some(Lmad { offset: offset.to_size(), dims })
    }
}

impl Sections {
    fn learn(&mut self, v: Var, ty: &Type, mem: Option<&MemBind>) {
        if let Some(m) = mem {
            self.places.insert(v, (ty.clone(), m.clone()));
        }
    }

    fn space(&mut self, space: &SegSpace) {
        for (i, n) in &space.dims {
            self.below(*i, *n);
        }
    }

    /// `i` counts up to `n`, which is then at least one.
    fn below(&mut self, i: Var, n: SubExp) {
        if let SubExp::Var(n) = n {
            self.ranges.natural(n);
        }
        self.ranges.counter(i, Some(Poly::leaf(n).sub(&Poly::constant(1))));
    }
}

impl Visit for Sections {
    fn param(&mut self, p: &Param) {
        self.learn(p.var, &p.ty, p.mem.as_ref());
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.learn(p.var, &p.ty, p.mem.as_ref());
    }

    fn stm(&mut self, s: &Stm) {
        match &s.exp {
            Exp::Seg(SegOp { space, .. }) => self.space(space),
            Exp::Loop { form: LoopForm::For { var, ty: IntType::I64, bound }, .. } => {
                self.below(*var, *bound);
            }
            _ => {}
        }
        walk::stm(self, s);
        let [p] = s.pat.as_slice() else { return };
        self.defs.learn(&s.pat, &s.exp);
        if let Exp::ConvOp(ConvOp::ZExt(from, IntType::I64), _) = s.exp
            && from != IntType::I64
        {
            self.ranges.counter(p.var, None);
        }
        if p.mem.is_none() {
            return;
        }
        let view = match &s.exp {
            Exp::SubExp(SubExp::Var(v)) | Exp::Opaque(SubExp::Var(v)) => View::Same(*v),
            Exp::Index { array, dims } => View::Slice(*array, dims.clone()),
            Exp::Rearrange { array, perm } => View::Permuted(*array, perm.clone()),
            Exp::Update { array, .. } => View::Same(*array),
            _ => return,
        };
        self.views.insert(p.var, view);
    }
}
