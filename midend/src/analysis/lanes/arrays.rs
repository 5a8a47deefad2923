//! Arrays that the points of a body make, each its own.
//!
//! ```text
//! segmap (i < n) : ([3]f32) {
//!   state: [4]f32 @ local -> {0; (4, 1)}          private: the lanes' elements lie side by side
//!   colour: [3]f32 @ out -> {i * 3; (3, 1)}       a row: three elements further from lane to lane
//! ```
//!
//! An array whose place does not depend on the lane would be that of the point before, if points were
//! computed one by one: so every lane gets its own, and the lanes' elements are interleaved, which makes
//! one vector of them. What is made where results lie, stays there.

use super::facts::{Analysis, Class, Home, Possible};
use super::obstacle::Why;
use crate::ir::{
    DimIndex, Exp, KernelBody, KernelResult, Lmad, MemBind, Param, PatElem, Poly, Size64, Stm,
    SubExp, Type, Var,
};

/// Bytes of private blocks of a lane, so that those of all lanes stay in the fastest cache.
const MOST_PRIVATE: i64 = 2048;
/// Elements of a row are counted to this: no estimate is asked what more would take.
const MOST_COPIED: i64 = 4096;

/// What binds a variable.
pub(super) trait Binds {
    fn bound(&self) -> (Var, &Type, Option<&MemBind>);
}

impl Binds for PatElem {
    fn bound(&self) -> (Var, &Type, Option<&MemBind>) {
        (self.var, &self.ty, self.mem.as_ref())
    }
}

impl Binds for Param {
    fn bound(&self) -> (Var, &Type, Option<&MemBind>) {
        (self.var, &self.ty, self.mem.as_ref())
    }
}

/// Whether an array lies where scalars that are carried with it say.
pub(super) fn moves(p: &impl Binds, carried: &[impl Binds]) -> bool {
    let (_, _, Some(mem)) = p.bound() else { return false };
    mem.lmad.leaves().iter().any(|x| carried.iter().any(|c| *x == c.bound().0.into()))
}

/// Whether two places in a block are written alike, but for the order of sums and products.
fn alike(a: &Lmad, b: &Lmad) -> bool {
    let same = |a: &Size64, b: &Size64| Poly::of(a) == Poly::of(b);
    a.dims.len() == b.dims.len()
        && same(&a.offset, &b.offset)
        && a.dims.iter().zip(&b.dims).all(|(a, b)| a.n == b.n && same(&a.stride, &b.stride))
}

impl Analysis<'_> {
    /// How far apart places are from lane to lane; nothing if not always as far.
    fn lane_step(&self, offset: &Poly) -> Option<Poly> {
        let mut step = Poly::default();
        for (vars, c) in offset.monomials() {
            let lanes: Vec<&Var> =
                vars.iter().filter(|v| self.lanes.class(**v) != Class::Uniform).collect();
            match lanes.as_slice() {
                [] => {}
                [v] => {
                    let Class::Linear(by) = self.lanes.class(**v) else { return None };
                    let rest = vars
                        .iter()
                        .filter(|w| w != v)
                        .fold(Poly::constant(c.checked_mul(by)?), |p, w| p.mul(&Poly::var(*w)));
                    step = step.add(&rest);
                }
                _ => return None,
            }
        }
        Some(step)
    }

    /// Whether sizes and distances of neighbours are the same in all lanes.
    fn is_regular(&self, mem: &MemBind) -> bool {
        let uniform = |x: &SubExp| self.lanes.of(*x) == Class::Uniform;
        mem.lmad.dims.iter().all(|d| uniform(&d.n) && d.stride.leaves().iter().all(uniform))
    }

    fn settle(&mut self, v: Var, ty: &Type, mem: &MemBind, home: Home) {
        let Type::Array { elem, .. } = ty else { return };
        self.lanes.widest = self.lanes.widest.max(elem.bytes());
        self.lanes.classes.insert(v, Class::Varying);
        self.lanes.homes.homes.insert(v, home);
        self.lanes.homes.places.insert(v, mem.clone());
    }

    /// An array that is made.
    pub(super) fn fresh(&mut self, p: &PatElem) -> Possible {
        let (Type::Array { elem, .. }, Some(mem)) = (&p.ty, &p.mem) else {
            return Err(Why::Unknown.into());
        };
        if !self.is_regular(mem) {
            return Err(Why::ShapeDiffers.into());
        }
        let offset = Poly::of(&mem.lmad.offset);
        let step = self.lane_step(&offset).ok_or(Why::PlaceDiffers)?;
        if !step.is_zero() {
            self.lanes.homes.written.insert(mem.block, ());
            self.settle(p.var, &p.ty, mem, Home::Row(step));
            return Ok(());
        }
        let mut last = offset.as_const().filter(|n| *n >= 0).ok_or(Why::SizeUnknown)?;
        for d in &mem.lmad.dims {
            let (Some(n), Some(stride)) =
                (Poly::leaf(d.n).as_const(), Poly::of(&d.stride).as_const())
            else {
                return Err(Why::SizeUnknown.into());
            };
            if n <= 0 || stride < 0 {
                return Err(Why::PlaceDiffers.into());
            }
            let further = (n - 1).checked_mul(stride).and_then(|n| last.checked_add(n));
            last = further.ok_or(Why::TooLarge)?;
        }
        let room = self.lanes.homes.private.entry(mem.block).or_insert((*elem, 0));
        if room.0 != *elem {
            return Err(Why::SharedBlock.into());
        }
        room.1 = room.1.max(last + 1);
        self.settle(p.var, &p.ty, mem, Home::Private);
        if self.lanes.private_bytes() <= MOST_PRIVATE { Ok(()) } else { Err(Why::TooLarge.into()) }
    }

    /// An array that is part of another, or that under another name.
    fn view(&mut self, p: &impl Binds, of: Var) -> Possible {
        let (v, ty, Some(mem)) = p.bound() else { return Err(Why::Unknown.into()) };
        let source = match self.lanes.homes.places.get(&of) {
            Some(place) => Some(place.block),
            None => (self.place_of)(of).map(|place| place.block),
        };
        let Type::Array { elem, .. } = ty else { return Err(Why::Unknown.into()) };
        if source != Some(mem.block) {
            return Err(Why::Moves.into());
        }
        if !self.is_regular(mem) {
            return Err(Why::ShapeDiffers.into());
        }
        let step = self.lane_step(&Poly::of(&mem.lmad.offset)).ok_or(Why::Slice)?;
        match self.lanes.homes.private.get(&mem.block) {
            Some((of_block, _)) => {
                if of_block != elem || !step.is_zero() {
                    return Err(Why::Slice.into());
                }
                self.settle(v, ty, mem, Home::Private);
            }
            None if step.is_zero() => {
                self.lanes.classes.insert(v, Class::Uniform);
            }
            None => self.settle(v, ty, mem, Home::Row(step)),
        }
        Ok(())
    }

    /// An array that lies where another one lay before, which this is in place of.
    pub(super) fn same_home(&mut self, p: &impl Binds) -> Possible {
        let (v, ty, Some(mem)) = p.bound() else { return Err(Why::Moves.into()) };
        let mut known = self.lanes.homes.places.iter().filter(|(_, place)| *place == mem);
        let home = known.next().and_then(|(other, _)| self.lanes.homes.homes.get(other));
        let home = home.ok_or(Why::NotOwn)?.clone();
        self.settle(v, ty, mem, home);
        Ok(())
    }

    /// Arrays that are carried on must be where they are carried to, once the scalars that are carried on say where that is.
    pub(super) fn stay(&self, to: &[impl Binds], from: &[SubExp]) -> Possible {
        let value = |x: SubExp| {
            let mut carried = to.iter().zip(from);
            carried.find(|(to, _)| x == to.bound().0.into()).map_or(x, |(_, from)| *from)
        };
        for (to, from) in to.iter().zip(from) {
            let (_, ty, mem) = to.bound();
            match ty {
                Type::Prim(_) | Type::Cert => {}
                Type::Mem(_) => return Err(Why::Moves.into()),
                Type::Array { .. } => {
                    let place = from.var().and_then(|v| self.lanes.homes.places.get(&v));
                    let place = place.ok_or(Why::NotOwn)?;
                    let there = mem.is_some_and(|mem| {
                        let then = mem.lmad.map_leaves(&mut |x| value(x));
                        mem.block == place.block && alike(&then, &place.lmad)
                    });
                    if Some(place) != mem && !there {
                        return Err(Why::Moves.into());
                    }
                }
            }
        }
        Ok(())
    }

    /// An array that a loop carries, or leaves: where another one lay before, or where scalars of the loop say.
    pub(super) fn carried_home(&mut self, p: &impl Binds, scalars: &[impl Binds]) -> Possible {
        if !moves(p, scalars) {
            return self.same_home(p);
        }
        let (v, ty, Some(mem)) = p.bound() else { return Err(Why::Moves.into()) };
        if !self.is_regular(mem) {
            return Err(Why::ShapeDiffers.into());
        }
        let step = self.lane_step(&Poly::of(&mem.lmad.offset)).ok_or(Why::PlaceDiffers)?;
        if step.is_zero() || !self.lanes.homes.written.contains_key(&mem.block) {
            return Err(Why::NotOwn.into());
        }
        self.settle(v, ty, mem, Home::Row(step));
        Ok(())
    }

    /// An operation on arrays.
    pub(super) fn array(&mut self, s: &Stm) -> Possible {
        let [p] = s.pat.as_slice() else { return Err(Why::Unknown.into()) };
        let known = |yes: bool| if yes { Ok(()) } else { Err(Why::Unknown) };
        match &s.exp {
            Exp::SubExp(SubExp::Var(v)) => self.view(p, *v),
            Exp::Index { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Rearrange { array, .. } => self.view(p, *array),
            Exp::ArrayLit { elems, .. } => {
                let scalars = p.ty.rank() == 1;
                known(scalars || elems.iter().all(|x| x.var().is_some()))?;
                self.fresh(p)
            }
            Exp::Iota { .. } | Exp::Scratch { .. } | Exp::Copy(_) => self.fresh(p),
            Exp::Concat { arrays, .. } => {
                for array in arrays {
                    self.copied(*array);
                }
                self.fresh(p)
            }
            Exp::Replicate { shape, value } => {
                let array = p.ty.rank() > shape.len();
                known(!array || value.var().is_some())?;
                self.fresh(p)
            }
            Exp::Update { array, dims, .. } => {
                let place = self.lanes.homes.places.get(array).ok_or(Why::NotOwn)?;
                if Some(place) != p.mem.as_ref() {
                    return Err(Why::Moves.into());
                }
                self.element(*array, dims)?;
                self.same_home(p)
            }
            _ => Err(Why::Unknown.into()),
        }
    }

    /// Elements of rows of a lane are read one by one.
    fn copied(&mut self, array: Var) {
        let Some(mem) = self.lanes.homes.places.get(&array) else { return };
        let elements = mem.lmad.dims.iter().try_fold(1_i64, |all, d| {
            let n = Poly::leaf(d.n).as_const()?;
            Some(all.saturating_mul(n).min(MOST_COPIED))
        });
        if self.lanes.home(array).is_some_and(|home| !home.is_interleaved()) {
            for _ in 0..elements.unwrap_or(1) {
                self.cost.read(false, false, self.depth);
            }
        }
    }

    /// An access to an element of an array that the body makes.
    pub(super) fn element(&mut self, array: Var, dims: &[DimIndex]) -> Possible<Class> {
        let mut uniform = true;
        for d in dims {
            let DimIndex::Fix(i) = d else { return Err(Why::Slice.into()) };
            uniform &= self.lanes.of(*i) == Class::Uniform;
        }
        let side_by_side = self.lanes.home(array).is_some_and(Home::is_interleaved);
        self.cost.in_memory += usize::from(self.depth > 0);
        self.cost.read(uniform && side_by_side, false, self.depth);
        Ok(Class::Varying)
    }

    /// An operation inside stores an element at each of its points, one by one if it is of a row.
    pub(super) fn collects(&mut self, pat: &[PatElem]) {
        let apart = |p: &&PatElem| self.lanes.home(p.var).is_some_and(|h| !h.is_interleaved());
        for _ in 0..pat.iter().filter(apart).count() {
            self.cost.read(false, false, self.depth + 1);
        }
    }

    /// What an operation inside collects.
    pub(super) fn returned(&mut self, pat: &[PatElem], body: &KernelBody) -> Possible {
        for (p, result) in pat.iter().zip(&body.results) {
            let KernelResult::Return(x) = result else { return Err(Why::Scatter.into()) };
            if p.ty.rank() == 0 || x.var().is_none() && self.collects_arrays(body) {
                return Err(Why::Unknown.into());
            }
        }
        Ok(())
    }

    fn collects_arrays(&self, body: &KernelBody) -> bool {
        body.types.iter().any(|t| t.rank() > 0)
    }

    /// What the body collects, arrays that it makes or scalars, and scalars that it writes elsewhere.
    pub(super) fn results(&self, body: &KernelBody) -> Possible {
        for (result, ty) in body.results.iter().zip(&body.types) {
            match result {
                KernelResult::Return(x) => {
                    let own = |v| self.lanes.homes.homes.contains_key(&v);
                    if ty.rank() > 0 && !x.var().is_some_and(own) {
                        return Err(Why::NotOwn.into());
                    }
                }
                KernelResult::Write { dest, writes } => {
                    let elements = writes.iter().all(|(at, _)| at.len() == ty.rank());
                    if !elements || self.lanes.home(*dest).is_some() {
                        return Err(Why::WritesRows.into());
                    }
                }
            }
        }
        Ok(())
    }
}
