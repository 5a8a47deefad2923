//! The algebra of LMADs and of the symbolic sizes in them.
//!
//! Sizes are compared by their normal forms ([`Poly`]), so every test here ("row-major?", "expressible?")
//! may say no where the answer at run time would be yes, never the other way round. [`Defs`] makes the
//! tests sharper by the variables' definitions.

use super::linear::{Defs, Poly};
use super::prim::Prim;
use super::syntax::DimIndex;
use super::types::{Lmad, LmadDim, Size64, SubExp};

impl Size64 {
    /// The constant `c`.
    pub fn constant(c: i64) -> Size64 {
        Size64::Leaf(SubExp::i64(c))
    }

    /// In normal form.
    pub fn normal(&self) -> Size64 {
        Poly::of(self).to_size()
    }

    /// The number of bytes an array of this element type and shape takes.
    pub fn bytes(elem: Prim, shape: &[SubExp]) -> Size64 {
        shape.iter().fold(Poly::constant(elem.bytes()), |p, n| p.mul(&Poly::leaf(*n))).to_size()
    }

    /// The operands, from left to right.
    pub fn leaves(&self) -> Vec<SubExp> {
        fn walk(s: &Size64, out: &mut Vec<SubExp>) {
            match s {
                Size64::Leaf(e) => out.push(*e),
                Size64::Add(a, b) | Size64::Sub(a, b) | Size64::Mul(a, b) => {
                    walk(a, out);
                    walk(b, out);
                }
            }
        }
        let mut out = Vec::new();
        walk(self, &mut out);
        out
    }

    /// With every operand replaced.
    pub fn map_leaves(&self, f: &mut impl FnMut(SubExp) -> SubExp) -> Size64 {
        match self {
            Size64::Leaf(e) => Size64::Leaf(f(*e)),
            Size64::Add(a, b) => Size64::Add(Box::new(a.map_leaves(f)), Box::new(b.map_leaves(f))),
            Size64::Sub(a, b) => Size64::Sub(Box::new(a.map_leaves(f)), Box::new(b.map_leaves(f))),
            Size64::Mul(a, b) => Size64::Mul(Box::new(a.map_leaves(f)), Box::new(b.map_leaves(f))),
        }
    }
}

impl From<SubExp> for Size64 {
    fn from(e: SubExp) -> Size64 {
        Size64::Leaf(e)
    }
}

/// A run of dimensions that one stride walks through: element count and innermost stride.
struct Group {
    count: Poly,
    stride: Poly,
}

impl Lmad {
    /// The row-major layout of an array of this shape, at the start of its block.
    pub fn row_major(shape: &[SubExp]) -> Lmad {
        Lmad::row_major_at(&Poly::constant(0), shape)
    }

    /// The row-major layout of an array of this shape from `offset`.
    pub fn row_major_at(offset: &Poly, shape: &[SubExp]) -> Lmad {
        Lmad::scaled_at(offset, &Poly::constant(1), shape)
    }

    fn scaled_at(offset: &Poly, unit: &Poly, shape: &[SubExp]) -> Lmad {
        let mut dims = Vec::with_capacity(shape.len());
        let mut stride = unit.clone();
        for n in shape.iter().rev() {
            dims.push(LmadDim { n: *n, stride: stride.to_size() });
            stride = stride.mul(&Poly::leaf(*n));
        }
        dims.reverse();
        Lmad { offset: offset.to_size(), dims }
    }

    /// The shape.
    pub fn shape(&self) -> Vec<SubExp> {
        self.dims.iter().map(|d| d.n).collect()
    }

    /// Where the element at these indexes lies. Fewer indexes than dimensions give the first
    /// element of a subarray.
    pub fn offset_of(&self, indexes: &[SubExp]) -> Size64 {
        let mut o = Poly::of(&self.offset);
        for (d, i) in self.dims.iter().zip(indexes) {
            o = o.add(&Poly::of(&d.stride).mul(&Poly::leaf(*i)));
        }
        o.to_size()
    }

    /// The innermost dimension whose neighbours are neighbours in memory.
    pub fn unit_dim(&self) -> Option<usize> {
        let one = |d: &LmadDim| Poly::of(&d.stride).as_const() == Some(1);
        self.dims.iter().rposition(one)
    }

    /// How many bytes there are of elements of a type, if that is known.
    pub fn known_bytes(&self, elem: Prim) -> Option<i64> {
        let size = |d: &LmadDim| Poly::leaf(d.n).as_const();
        self.dims.iter().try_fold(elem.bytes(), |all, d| all.checked_mul(size(d)?))
    }

    /// The view that `index` selects.
    pub fn slice(&self, index: &[DimIndex]) -> Lmad {
        let mut o = Poly::of(&self.offset);
        let mut dims = Vec::new();
        for (d, i) in self.dims.iter().zip(index) {
            let s = Poly::of(&d.stride);
            match i {
                DimIndex::Fix(i) => o = o.add(&s.mul(&Poly::leaf(*i))),
                DimIndex::Slice { start, n, stride } => {
                    o = o.add(&s.mul(&Poly::leaf(*start)));
                    dims.push(LmadDim { n: *n, stride: s.mul(&Poly::leaf(*stride)).to_size() });
                }
            }
        }
        Lmad { offset: o.to_size(), dims }
    }

    /// The subarray at these indexes of the outer dimensions.
    pub fn row(&self, indexes: &[SubExp]) -> Lmad {
        Lmad { offset: self.offset_of(indexes), dims: self.dims[indexes.len()..].to_vec() }
    }

    /// Of a one-dimensional array, the view of `dims` (size, stride) from `offset`.
    pub fn flat_index(&self, offset: SubExp, dims: &[(SubExp, SubExp)]) -> Lmad {
        let unit = self.dims.first().map_or_else(|| Poly::constant(1), |d| Poly::of(&d.stride));
        Lmad {
            offset: Poly::of(&self.offset).add(&unit.mul(&Poly::leaf(offset))).to_size(),
            dims: dims
                .iter()
                .map(|(n, s)| LmadDim { n: *n, stride: unit.mul(&Poly::leaf(*s)).to_size() })
                .collect(),
        }
    }

    /// Dimension `i` of the result is dimension `perm[i]`.
    pub fn permute(&self, perm: &[usize]) -> Lmad {
        Lmad {
            offset: self.offset.clone(),
            dims: perm.iter().map(|i| self.dims[*i].clone()).collect(),
        }
    }

    /// Dimension `dim` backwards.
    pub fn reverse(&self, dim: usize) -> Lmad {
        let mut dims = self.dims.clone();
        let s = Poly::of(&dims[dim].stride);
        let last = Poly::leaf(dims[dim].n).sub(&Poly::constant(1));
        dims[dim].stride = Poly::constant(0).sub(&s).to_size();
        Lmad { offset: Poly::of(&self.offset).add(&last.mul(&s)).to_size(), dims }
    }

    /// The same elements in row-major order under another shape, if one LMAD can say it.
    ///
    /// Neighbouring dimensions that one stride walks through are merged; the new dimensions must
    /// then fill these groups exactly. The total sizes are known to be equal, so the last group
    /// needs no proof.
    pub fn reshape(&self, shape: &[SubExp], defs: &Defs) -> Option<Lmad> {
        let offset = Poly::of(&self.offset);
        let groups = self.groups(defs);
        match groups.as_slice() {
            // One element: any stride serves.
            [] => return Some(Lmad::row_major_at(&offset, shape)),
            [g] => return Some(Lmad::scaled_at(&offset, &g.stride, shape)),
            _ => {}
        }
        let mut dims = Vec::with_capacity(shape.len());
        let mut rest = shape;
        for (i, g) in groups.iter().enumerate() {
            let taken = if i + 1 == groups.len() {
                rest.len()
            } else {
                let mut count = Poly::constant(1);
                let mut k = 0;
                while !defs.equal(&count, &g.count) {
                    count = count.mul(&Poly::leaf(*rest.get(k)?));
                    k += 1;
                }
                k
            };
            dims.extend(Lmad::scaled_at(&offset, &g.stride, &rest[..taken]).dims);
            rest = &rest[taken..];
        }
        Some(Lmad { offset: self.offset.clone(), dims })
    }

    /// Outermost first; dimensions of one element are left out.
    fn groups(&self, defs: &Defs) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for d in &self.dims {
            let n = Poly::leaf(d.n);
            if defs.expand(&n).as_const() == Some(1) {
                continue;
            }
            let stride = Poly::of(&d.stride);
            match groups.last_mut() {
                Some(g) if defs.equal(&g.stride, &stride.mul(&n)) => {
                    g.count = g.count.mul(&n);
                    g.stride = stride;
                }
                _ => groups.push(Group { count: n, stride }),
            }
        }
        groups
    }

    /// Are the elements certainly in row-major order without gaps, from some offset?
    pub fn is_contiguous(&self, defs: &Defs) -> bool {
        let mut stride = Poly::constant(1);
        for d in self.dims.iter().rev() {
            let n = Poly::leaf(d.n);
            if defs.expand(&n).as_const() == Some(1) {
                continue;
            }
            if !defs.equal(&Poly::of(&d.stride), &stride) {
                return false;
            }
            stride = stride.mul(&n);
        }
        true
    }

    /// As [`Lmad::is_contiguous`], from the start of the block.
    pub fn is_row_major(&self, defs: &Defs) -> bool {
        defs.expand(&Poly::of(&self.offset)).is_zero() && self.is_contiguous(defs)
    }

    /// Do both certainly place every index alike? The shapes are known to be equal.
    pub fn same_place(&self, other: &Lmad, defs: &Defs) -> bool {
        self.dims.len() == other.dims.len()
            && defs.equal(&Poly::of(&self.offset), &Poly::of(&other.offset))
            && self.dims.iter().zip(&other.dims).all(|(a, b)| {
                defs.equal(&Poly::of(&a.stride), &Poly::of(&b.stride))
                    || defs.expand(&Poly::leaf(a.n)).as_const() == Some(1)
            })
    }

    /// The LMAD within a block laid out from `offset` of another.
    pub fn shifted(&self, offset: &Poly) -> Lmad {
        Lmad { offset: Poly::of(&self.offset).add(offset).to_size(), dims: self.dims.clone() }
    }

    /// One of `count` copies of the block interleaved element by element: `index + count · self`.
    pub fn interleaved(&self, index: &Poly, count: &Poly) -> Lmad {
        Lmad {
            offset: Poly::of(&self.offset).mul(count).add(index).to_size(),
            dims: self
                .dims
                .iter()
                .map(|d| LmadDim { n: d.n, stride: Poly::of(&d.stride).mul(count).to_size() })
                .collect(),
        }
    }

    /// The operands it mentions.
    pub fn leaves(&self) -> Vec<SubExp> {
        let mut out = self.offset.leaves();
        for d in &self.dims {
            out.push(d.n);
            out.extend(d.stride.leaves());
        }
        out
    }

    /// With every operand replaced.
    pub fn map_leaves(&self, f: &mut impl FnMut(SubExp) -> SubExp) -> Lmad {
        Lmad {
            offset: self.offset.map_leaves(f),
            dims: self
                .dims
                .iter()
                .map(|d| LmadDim { n: f(d.n), stride: d.stride.map_leaves(f) })
                .collect(),
        }
    }
}

impl DimIndex {
    /// Everything in a dimension of size `n`.
    pub fn full(n: SubExp) -> DimIndex {
        DimIndex::Slice { start: SubExp::i64(0), n, stride: SubExp::i64(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Var;
    use futc_typed::name::Name;

    fn v(tag: u32) -> Var {
        Var { base: Name::new("v"), tag }
    }
    fn c(x: i64) -> SubExp {
        SubExp::i64(x)
    }

    /// All offsets in row-major order of the indexes.
    fn places(l: &Lmad, value: &impl Fn(Var) -> i64) -> Vec<i64> {
        fn n_of(e: SubExp, value: &impl Fn(Var) -> i64) -> i64 {
            Poly::leaf(e).eval(value)
        }
        let mut out = vec![Poly::of(&l.offset).eval(value)];
        for d in &l.dims {
            let s = Poly::of(&d.stride).eval(value);
            out = out.iter().flat_map(|o| (0..n_of(d.n, value)).map(move |i| o + i * s)).collect();
        }
        out
    }

    /// A small generator, so that failures can be repeated.
    struct Rng(u64);
    impl Rng {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }
    }

    #[test]
    fn transposed_arrays_flatten_only_by_copying() {
        let a = Lmad::row_major(&[v(1).into(), v(2).into()]);
        let defs = Defs::default();
        assert!(a.is_row_major(&defs));
        assert!(a.reshape(&[v(3).into()], &defs).is_some());
        let t = a.permute(&[1, 0]);
        assert!(!t.is_contiguous(&defs));
        assert_eq!(t.reshape(&[v(3).into()], &defs), None);
    }

    #[test]
    fn inner_and_outer_dimensions_split_and_merge_in_strided_arrays() {
        // Columns 0 and 1 of an [n][m][k] array, so dimension 0 and (1, 2) are groups.
        let (n, m, k, mk) = (v(1), v(2), v(3), v(4));
        let mut defs = Defs::default();
        defs.define(mk, &Poly::var(m).mul(&Poly::var(k)));
        let a = Lmad::row_major(&[n.into(), m.into(), k.into()]);
        let s = a.slice(&[
            DimIndex::Slice { start: c(0), n: v(5).into(), stride: c(2) },
            DimIndex::full(m.into()),
            DimIndex::full(k.into()),
        ]);
        let flat = s.reshape(&[v(5).into(), mk.into()], &defs);
        assert!(flat.is_some());
        assert_eq!(
            flat.and_then(|f| f.reshape(&[v(5).into(), m.into(), k.into()], &defs)),
            Some(s.clone())
        );
        assert_eq!(s.reshape(&[v(9).into()], &defs), None);
        assert!(s.row(&[v(6).into()]).is_contiguous(&defs));
    }

    #[test]
    fn chains_of_views_agree_with_brute_force() {
        let mut rng = Rng(1);
        for _ in 0..2000 {
            let rank = 1 + rng.below(3) as usize;
            // Sizes are variables valued 1 + tag % 4, or constants.
            let value = |v: Var| 1 + i64::from(v.tag % 4);
            let mut shape: Vec<SubExp> = (0..rank)
                .map(|_| {
                    let t = rng.below(8) as u32;
                    if t < 4 { SubExp::Var(v(t)) } else { c(1 + i64::from(t % 4)) }
                })
                .collect();
            let size = |e: SubExp| Poly::leaf(e).eval(&value);
            let mut l = Lmad::row_major(&shape);
            let mut model: Vec<i64> = (0..shape.iter().map(|n| size(*n)).product()).collect();
            for _ in 0..4 {
                // Offsets of every index, from `model` by index arithmetic on `shape`.
                let dims: Vec<i64> = shape.iter().map(|n| size(*n)).collect();
                let at = |idx: &[i64]| {
                    let flat = idx.iter().zip(&dims).fold(0, |f, (i, n)| f * n + i);
                    model[flat as usize]
                };
                let points = |dims: &[i64]| {
                    dims.iter().fold(vec![vec![]], |ps: Vec<Vec<i64>>, n| {
                        ps.iter()
                            .flat_map(|p| {
                                (0..*n).map(move |i| {
                                    let mut q = p.clone();
                                    q.push(i);
                                    q
                                })
                            })
                            .collect()
                    })
                };
                match rng.below(4) {
                    0 => {
                        let d = rng.below(shape.len() as u64) as usize;
                        let next = points(&dims)
                            .iter()
                            .map(|p| {
                                let mut q = p.clone();
                                q[d] = dims[d] - 1 - q[d];
                                at(&q)
                            })
                            .collect();
                        l = l.reverse(d);
                        model = next;
                    }
                    1 => {
                        let mut perm: Vec<usize> = (0..shape.len()).collect();
                        perm.rotate_left(rng.below(shape.len() as u64) as usize);
                        let new_dims: Vec<i64> = perm.iter().map(|i| dims[*i]).collect();
                        let next = points(&new_dims)
                            .iter()
                            .map(|p| {
                                let mut q = vec![0; p.len()];
                                for (i, d) in perm.iter().enumerate() {
                                    q[*d] = p[i];
                                }
                                at(&q)
                            })
                            .collect();
                        l = l.permute(&perm);
                        shape = perm.iter().map(|i| shape[*i]).collect();
                        model = next;
                    }
                    2 => {
                        let d = rng.below(shape.len() as u64) as usize;
                        let start = rng.below(dims[d] as u64) as i64;
                        let index: Vec<DimIndex> = shape
                            .iter()
                            .enumerate()
                            .map(|(i, n)| {
                                if i == d {
                                    DimIndex::Slice {
                                        start: c(start),
                                        n: c(start + 1),
                                        stride: c(-1),
                                    }
                                } else {
                                    DimIndex::full(*n)
                                }
                            })
                            .collect();
                        let mut new_dims = dims.clone();
                        new_dims[d] = start + 1;
                        let next = points(&new_dims)
                            .iter()
                            .map(|p| {
                                let mut q = p.clone();
                                q[d] = start - q[d];
                                at(&q)
                            })
                            .collect();
                        l = l.slice(&index);
                        shape[d] = c(start + 1);
                        model = next;
                    }
                    _ => {
                        let total: i64 = dims.iter().product();
                        let new = match rng.below(3) {
                            0 => vec![c(total)],
                            1 => vec![c(1), c(total)],
                            _ if total % 2 == 0 => vec![c(2), c(total / 2)],
                            _ => vec![c(total), c(1)],
                        };
                        // Variables have known values here, which `Defs` can say.
                        let mut defs = Defs::default();
                        for t in 0..4 {
                            defs.define(v(t), &Poly::constant(value(v(t))));
                        }
                        if let Some(r) = l.reshape(&new, &defs) {
                            l = r;
                            shape = new;
                        } else {
                            assert!(!l.is_contiguous(&defs));
                        }
                    }
                }
                assert_eq!(places(&l, &value), model);
                let defs = Defs::default();
                if l.is_contiguous(&defs) {
                    assert!(model.windows(2).all(|w| w[1] == w[0] + 1));
                }
            }
        }
    }

    #[test]
    fn interleaving_keeps_copies_apart() {
        let l = Lmad::row_major(&[c(3), c(2)]);
        let mut all: Vec<i64> = (0..4)
            .flat_map(|i| places(&l.interleaved(&Poly::constant(i), &Poly::constant(4)), &|_| 0))
            .collect();
        all.sort_unstable();
        assert_eq!(all, (0..24).collect::<Vec<_>>());
    }
}
