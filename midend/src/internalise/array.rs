//! First-order array intrinsics.

use super::builder::{size, text};
use super::error::R;
use super::spec::Spec;
use super::value::{Dim, Ty, Value, leaves};
use crate::ir::{BinOp, Exp, IntType, MathFn, Prim, SubExp, Type, UnOp, Var};

impl Spec<'_> {
    /// An intrinsic over arrays.
    pub(super) fn array_intrinsic(
        &mut self,
        name: &str,
        types: &[Ty],
        sizes: &[Dim],
        args: &[Value],
    ) -> R<Value> {
        match (name, args) {
            ("map", [f, xs]) => self.map(f, xs, types.get(1)),
            ("reduce", [f, ne, xs]) => self.reduce(f, ne, xs, false),
            ("reduce_comm", [f, ne, xs]) => self.reduce(f, ne, xs, true),
            ("scan", [f, ne, xs]) => self.scan(f, ne, xs),
            ("hist_1d", [dest, f, ne, is, vs]) => self.hist(1, dest, f, ne, is, vs),
            ("hist_2d", [dest, f, ne, is, vs]) => self.hist(2, dest, f, ne, is, vs),
            ("hist_3d", [dest, f, ne, is, vs]) => self.hist(3, dest, f, ne, is, vs),
            ("scatter_1d", [dest, is, vs]) => self.scatter(1, dest, is, vs),
            ("scatter_2d", [dest, is, vs]) => self.scatter(2, dest, is, vs),
            ("scatter_3d", [dest, is, vs]) => self.scatter(3, dest, is, vs),
            ("zip", [xs, ys]) => {
                let n = self.outer(xs)?;
                let ys = self.with_outer(ys, n, "zip")?;
                Ok(Value::tuple(vec![xs.clone(), ys]))
            }
            // An array of pairs is a pair of arrays.
            ("unzip", [xs]) => Ok(xs.clone()),
            ("length", [xs]) => Ok(Value::Leaf(self.outer(xs)?)),
            ("iota", [n]) => {
                let n = self.scalar(Some(n))?;
                let ok = self.le(SubExp::i64(0), n);
                let msg = vec![text("Range 0..1..<"), size(n), text(" is invalid.")];
                let certs = self.check_size(ok, msg);
                let exp = Exp::Iota {
                    n,
                    start: SubExp::i64(0),
                    stride: SubExp::i64(1),
                    ty: IntType::I64,
                };
                let ty = Type::array(Prim::I64, vec![n]);
                Ok(Value::Leaf(self.emit_with("iota", exp, ty, &certs).into()))
            }
            ("replicate", [n, x]) => {
                let n = self.scalar(Some(n))?;
                let ok = self.le(SubExp::i64(0), n);
                let msg =
                    vec![text("Number of elements to replicate is negative: "), size(n), text(".")];
                let certs = self.check_size(ok, msg);
                let Some(ls) = leaves(x) else { return self.bug("an array of functions") };
                let mut out = Vec::with_capacity(ls.len());
                for l in ls {
                    let ty = self.ty(l).outer(n);
                    let exp = Exp::Replicate { shape: vec![n], value: l };
                    out.push(self.emit_with("rep", exp, ty, &certs).into());
                }
                Ok(x.with_leaves(&mut out.into_iter()))
            }
            ("concat", [xs, ys]) => self.concat(xs, ys),
            ("flatten", [xs]) => self.reshape_leaves(xs, |s, shape| match shape {
                [n, m, rest @ ..] => {
                    let nm = s.mul(*n, *m);
                    if !s.is_size(nm) {
                        // The rows need not be anywhere in memory, so that there may be any number.
                        let ok = s.le(SubExp::i64(0), nm);
                        let high = Exp::Math(MathFn::UMulHi, Prim::I64, vec![*n, *m]);
                        let high = s.emit("high", high, Type::I64);
                        let fits = s.eq64(high.into(), SubExp::i64(0));
                        let ok = s.and(ok, fits);
                        let [n, m] = [size(*n), size(*m)];
                        let msg = vec![
                            text("Cannot flatten array of shape ["),
                            n,
                            text("]["),
                            m,
                            text("]."),
                        ];
                        let certs = s.check_size(ok, msg);
                        s.note_size(nm, &certs);
                    }
                    Ok((std::iter::once(nm).chain(rest.iter().copied()).collect(), Vec::new()))
                }
                _ => s.bug("flatten of what is no matrix"),
            }),
            ("unflatten", [xs]) => self.unflatten(xs, sizes),
            ("transpose", [xs]) => {
                let Some(ls) = leaves(xs) else { return self.bug("an array of functions") };
                let mut out = Vec::with_capacity(ls.len());
                for l in ls {
                    let mut shape = self.shape(l);
                    if shape.len() < 2 {
                        return self.bug("transpose of what is no matrix");
                    }
                    let mut perm: Vec<usize> = (0..shape.len()).collect();
                    perm.swap(0, 1);
                    shape.swap(0, 1);
                    let array = self.as_var(l);
                    let ty = Type::array(self.elem(l), shape);
                    out.push(self.emit("tr", Exp::Rearrange { array, perm }, ty).into());
                }
                Ok(xs.with_leaves(&mut out.into_iter()))
            }
            ("copy" | "manifest", [x]) => {
                let Some(ls) = leaves(x) else { return Ok(x.clone()) };
                let mut out = Vec::with_capacity(ls.len());
                for l in ls {
                    let ty = self.ty(l);
                    out.push(match l {
                        SubExp::Var(v) if ty.rank() > 0 => {
                            self.emit(v.base.as_str(), Exp::Copy(v), ty).into()
                        }
                        SubExp::Var(_) | SubExp::Const(_) => l,
                    });
                }
                Ok(x.with_leaves(&mut out.into_iter()))
            }
            ("opaque", [x]) => Ok(self.each_leaf(x, Exp::Opaque)),
            ("trace", [x]) => Ok(self.each_leaf(x, Exp::Trace)),
            ("break", [x]) => Ok(x.clone()),
            _ => match flat_rank(name) {
                Some((rank, true)) => self.flat_index(rank, args),
                Some((rank, false)) => self.flat_update(rank, args),
                None => self.bug(format!("unknown intrinsic `{name}`")),
            },
        }
    }

    /// The outer size of an array.
    pub(super) fn outer(&mut self, xs: &Value) -> R<SubExp> {
        match xs.first_leaf().and_then(|l| self.dim(l, 0)) {
            Some(n) => Ok(n),
            None => self.bug("an array was expected"),
        }
    }

    /// The array with its outer size called `n`, compared at run time if it has another name.
    pub(super) fn with_outer(&mut self, xs: &Value, n: SubExp, what: &str) -> R<Value> {
        let Some(ls) = leaves(xs) else { return self.bug("an array of functions") };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let mut shape = self.shape(l);
            let Some(d) = shape.first_mut() else { return self.bug("an array was expected") };
            if *d == n {
                out.push(l);
                continue;
            }
            let had = *d;
            *d = n;
            let ok = self.eq64(had, n);
            let msg = vec![
                text(format!("{what}: array of size ")),
                size(had),
                text(" where size "),
                size(n),
                text(" is expected."),
            ];
            let certs = self.check_size(ok, msg);
            out.push(self.reshape_to(l, &shape, &certs));
        }
        Ok(xs.with_leaves(&mut out.into_iter()))
    }

    fn concat(&mut self, xs: &Value, ys: &Value) -> R<Value> {
        let n = self.outer(xs)?;
        let m = self.outer(ys)?;
        let total = self.add(n, m);
        self.check_dims(&[n, m, total], &|_| {
            let [n, m] = [size(n), size(m)];
            vec![text("Cannot concatenate arrays of sizes "), n, text(" and "), m, text(".")]
        });
        // Where the second array begins is reckoned from the size of the first.
        let certs = self.certs_of(&[n, m, total]);
        let (Some(ls), Some(rs)) = (leaves(xs), leaves(ys)) else {
            return self.bug("an array of functions");
        };
        let mut out = Vec::with_capacity(ls.len());
        for (l, r) in ls.into_iter().zip(rs) {
            let mut shape = self.shape(l);
            let mut want = shape.clone();
            if let (Some(w), Some(m)) = (want.first_mut(), self.dim(r, 0)) {
                *w = m;
            }
            let r = self.reshape_checked(r, &want, "Arguments of concat differ in row shape.");
            if let Some(d) = shape.first_mut() {
                *d = total;
            }
            let arrays = vec![self.as_var(l), self.as_var(r)];
            let ty = Type::array(self.elem(l), shape);
            let exp = Exp::Concat { dim: 0, arrays, size: total };
            out.push(self.emit_with("concat", exp, ty, &certs).into());
        }
        Ok(xs.with_leaves(&mut out.into_iter()))
    }

    fn reshape_leaves(
        &mut self,
        xs: &Value,
        shape: impl Fn(&mut Self, &[SubExp]) -> R<(Vec<SubExp>, Vec<Var>)>,
    ) -> R<Value> {
        let Some(ls) = leaves(xs) else { return self.bug("an array of functions") };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let own = self.shape(l);
            let (want, certs) = shape(self, &own)?;
            let array = self.as_var(l);
            let ty = Type::array(self.elem(l), want.clone());
            let exp = Exp::Reshape { array, shape: want };
            out.push(self.emit_with(array.base.as_str(), exp, ty, &certs).into());
        }
        Ok(xs.with_leaves(&mut out.into_iter()))
    }

    fn unflatten(&mut self, xs: &Value, sizes: &[Dim]) -> R<Value> {
        let (Some(Some(n)), Some(Some(m))) = (sizes.first().copied(), sizes.get(1).copied()) else {
            return self.limitation("unflatten to sizes that are not known");
        };
        let have = self.outer(xs)?;
        let want = self.mul(n, m);
        let same = self.eq64(want, have);
        let a = self.le(SubExp::i64(0), n);
        let b = self.le(SubExp::i64(0), m);
        let ok = self.and(a, b);
        let ok = self.and(ok, same);
        // The product may be right by having wrapped.
        let one = SubExp::i64(1);
        let ok = if n == one || m == one {
            ok
        } else {
            let divisor = self.binop(BinOp::SMax(IntType::I64), m, one);
            let quotient = self.binop(BinOp::SQuot(IntType::I64), have, divisor);
            let exact = self.eq64(quotient, n);
            let empty = self.eq64(m, SubExp::i64(0));
            let exact = self.or(empty, exact);
            self.and(ok, exact)
        };
        let msg = vec![
            text("Cannot unflatten array of shape ["),
            size(have),
            text("] to array of shape ["),
            size(n),
            text("]["),
            size(m),
            text("]."),
        ];
        let certs = self.check_size(ok, msg);
        self.reshape_leaves(xs, |_, shape| {
            Ok(([n, m].into_iter().chain(shape.iter().skip(1).copied()).collect(), certs.clone()))
        })
    }

    // ---- flat views

    /// Whether a view of `(size, stride)` dimensions from `offset` lies within `[0, k)`.
    fn flat_check(&mut self, k: SubExp, offset: SubExp, dims: &[(SubExp, SubExp)]) -> Vec<Var> {
        let zero = SubExp::i64(0);
        let one = SubExp::i64(1);
        let (mut low, mut high) = (offset, offset);
        let mut empty = SubExp::bool(false);
        let mut sane = SubExp::bool(true);
        for (n, s) in dims {
            let none = self.eq64(*n, zero);
            empty = self.or(empty, none);
            let last = self.sub(*n, one);
            let far = self.mul(last, *s);
            let back = self.lt(*s, zero);
            let down = self.choose(back, far, zero);
            let up = self.choose(back, zero, far);
            low = self.add(low, down);
            high = self.add(high, up);
            let fine = self.le(zero, *n);
            sane = self.and(sane, fine);
            // No step leads further than from one end of the array to the other, so that nothing
            // below wraps.
            let still = self.eq64(*s, zero);
            let divisor = self.choose(still, one, *s);
            let steps = self.binop(BinOp::SQuot(IntType::I64), k, divisor);
            let steps = self.unop(UnOp::Abs(IntType::I64), steps);
            let short = self.le(last, steps);
            let short = self.or(still, short);
            let short = self.or(none, short);
            sane = self.and(sane, short);
        }
        let above = self.le(zero, low);
        let below = self.lt(high, k);
        let inside = self.and(above, below);
        let ok = self.or(empty, inside);
        let ok = self.and(sane, ok);
        let mut msg =
            vec![text("Flat slice out of bounds: ["), size(k), text("] and "), size(offset)];
        for (n, s) in dims {
            msg.extend([text("; "), size(*n), text(":"), size(*s)]);
        }
        self.check_size(ok, msg)
    }

    fn flat_index(&mut self, rank: usize, args: &[Value]) -> R<Value> {
        let Some(xs) = args.first() else { return self.bug("a flat index of nothing") };
        let offset = self.scalar(args.get(1))?;
        let mut dims = Vec::with_capacity(rank);
        for i in 0..rank {
            let n = self.scalar(args.get(2 + 2 * i))?;
            let s = self.scalar(args.get(3 + 2 * i))?;
            dims.push((n, s));
        }
        let k = self.outer(xs)?;
        let certs = self.flat_check(k, offset, &dims);
        let Some(ls) = leaves(xs) else { return self.bug("an array of functions") };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let array = self.as_var(l);
            if self.shape(l).len() != 1 {
                return self.limitation("a flat index into an array of arrays");
            }
            let ty = Type::array(self.elem(l), dims.iter().map(|(n, _)| *n).collect());
            let exp = Exp::FlatIndex { array, offset, dims: dims.clone() };
            out.push(self.emit_with("flat", exp, ty, &certs).into());
        }
        Ok(xs.with_leaves(&mut out.into_iter()))
    }

    fn flat_update(&mut self, rank: usize, args: &[Value]) -> R<Value> {
        let (Some(xs), Some(vs)) = (args.first(), args.last()) else {
            return self.bug("a flat update of nothing");
        };
        let offset = self.scalar(args.get(1))?;
        let Some(first) = vs.first_leaf() else { return self.bug("an array was expected") };
        let shape = self.shape(first);
        let mut dims = Vec::with_capacity(rank);
        for i in 0..rank {
            let s = self.scalar(args.get(2 + i))?;
            dims.push((shape.get(i).copied().unwrap_or(SubExp::i64(1)), s));
        }
        let k = self.outer(xs)?;
        let certs = self.flat_check(k, offset, &dims);
        let (Some(ls), Some(rs)) = (leaves(xs), leaves(vs)) else {
            return self.bug("an array of functions");
        };
        let mut out = Vec::with_capacity(ls.len());
        for (l, r) in ls.into_iter().zip(rs) {
            let ty = self.ty(l);
            if ty.rank() != 1 {
                return self.limitation("a flat update of an array of arrays");
            }
            let (array, value) = (self.as_var(l), self.as_var(r));
            let exp = Exp::FlatUpdate { array, offset, dims: dims.clone(), value };
            out.push(self.emit_with(array.base.as_str(), exp, ty, &certs).into());
        }
        Ok(xs.with_leaves(&mut out.into_iter()))
    }
}

/// The rank of a flat intrinsic, and whether it reads.
fn flat_rank(name: &str) -> Option<(usize, bool)> {
    let (rank, reads) = match name.strip_prefix("flat_index_") {
        Some(r) => (r, true),
        None => (name.strip_prefix("flat_update_")?, false),
    };
    match rank {
        "2d" => Some((2, reads)),
        "3d" => Some((3, reads)),
        "4d" => Some((4, reads)),
        _ => None,
    }
}
