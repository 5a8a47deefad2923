//! Indexing, slices and ranges, with the checks that go with them.

use super::builder::{size, text};
use super::error::R;
use super::spec::Spec;
use super::value::{FrameId, Value, core_int, leaves};
use crate::ir::{self, BinOp, ConvOp, DimIndex, IntType, MsgPart, SubExp, Type, Var};
use futc_typed::prim::PrimType;
use futc_typed::program::{self, Exp, RangeEnd};

/// Steps of ranges with which a distance can be divided rounding up by adding to it first.
const MODEST: u64 = 1 << 32;

impl Spec<'_> {
    /// An integer of source type `ty` as `i64`.
    pub(super) fn widen(&mut self, s: SubExp, ty: PrimType) -> SubExp {
        match core_int(ty) {
            Some(IntType::I64) | None => s,
            Some(t) if ty.is_signed() => self.conv(ConvOp::SExt(t, IntType::I64), s),
            Some(t) => self.conv(ConvOp::ZExt(t, IntType::I64), s),
        }
    }

    fn prim_of(&mut self, e: &Exp, frame: FrameId) -> R<PrimType> {
        match self.erase(&e.ty, frame)? {
            super::value::Ty::Prim(p) => Ok(p),
            _ => self.bug("a scalar was expected"),
        }
    }

    /// Evaluates indexes against the dimensions of the array: what to take, and the certificate
    /// that it is there.
    pub(super) fn dims(
        &mut self,
        shape: &[SubExp],
        index: &[program::DimIndex],
        frame: FrameId,
    ) -> R<(Vec<DimIndex>, Vec<Var>)> {
        let mut dims = Vec::with_capacity(index.len());
        let mut ok = SubExp::bool(true);
        let mut msg: Vec<MsgPart> = vec![text("Index [")];
        for (i, d) in index.iter().enumerate() {
            let Some(w) = shape.get(i).copied() else {
                return self.bug("more indexes than dimensions");
            };
            if i > 0 {
                msg.push(text(", "));
            }
            let (dim, fine) = match d {
                program::DimIndex::Fix(e) => {
                    let ty = self.prim_of(e, frame)?;
                    let x = self.eval_leaf(e, frame)?;
                    let x = self.widen(x, ty);
                    msg.push(size(x));
                    let above = self.le(SubExp::i64(0), x);
                    let below = self.lt(x, w);
                    (DimIndex::Fix(x), self.and(above, below))
                }
                program::DimIndex::Slice { start, end, stride } => {
                    let opt = |s: &mut Self, e: &Option<Box<Exp>>| match e {
                        Some(e) => Ok(Some(s.eval_leaf(e, frame)?)),
                        None => Ok(None),
                    };
                    let start = opt(self, start)?;
                    let end = opt(self, end)?;
                    let stride = opt(self, stride)?;
                    if let Some(x) = start {
                        msg.push(size(x));
                    }
                    msg.push(text(":"));
                    if let Some(x) = end {
                        msg.push(size(x));
                    }
                    if let Some(x) = stride {
                        msg.push(text(":"));
                        msg.push(size(x));
                    }
                    self.slice(start, end, stride, w)
                }
            };
            dims.push(dim);
            ok = self.and(ok, fine);
        }
        msg.push(text("] out of bounds for array of shape "));
        for d in shape.iter().take(index.len().max(1)) {
            msg.push(text("["));
            msg.push(size(*d));
            msg.push(text("]"));
        }
        msg.push(text("."));
        let sizes = dims.iter().any(|d| matches!(d, DimIndex::Slice { .. }));
        let certs = if sizes { self.check_size(ok, msg) } else { self.check(ok, msg) };
        Ok((dims, certs))
    }

    /// A slice of a dimension of size `w`, and whether it is in bounds.
    fn slice(
        &mut self,
        start: Option<SubExp>,
        end: Option<SubExp>,
        stride: Option<SubExp>,
        w: SubExp,
    ) -> (DimIndex, SubExp) {
        let zero = SubExp::i64(0);
        let one = SubExp::i64(1);
        let constant = match stride {
            None => Some(1),
            Some(SubExp::Const(c)) => c.as_int(),
            Some(SubExp::Var(_)) => None,
        };
        if constant == Some(1) {
            let i = start.unwrap_or(zero);
            let j = end.unwrap_or(w);
            let n = self.sub(j, i);
            let a = self.le(zero, i);
            let b = self.le(i, j);
            let c = self.le(j, w);
            let ab = if start.is_none() { b } else { self.and(a, b) };
            let mut ok = if end.is_none() { ab } else { self.and(ab, c) };
            if start.is_some() && end.is_some() {
                let empty = self.eq64(i, j);
                ok = self.or(empty, ok);
            }
            return (DimIndex::Slice { start: i, n, stride: one }, ok);
        }
        let s = stride.unwrap_or(one);
        let back = match constant {
            Some(c) => SubExp::bool(c < 0),
            None => self.lt(s, zero),
        };
        let last = self.sub(w, one);
        let i = match start {
            Some(i) => i,
            None => self.choose(back, last, zero),
        };
        let j = match end {
            Some(j) => j,
            None => self.choose(back, SubExp::i64(-1), w),
        };
        // n = (j - i) / s, rounded up; a stride of zero fails the check, so divide by one then.
        let distance = self.sub(j, i);
        let nonzero = match constant {
            Some(c) => SubExp::bool(c != 0),
            None => {
                let z = self.eq64(s, zero);
                self.unop(ir::UnOp::Not, z)
            }
        };
        let divisor = match constant {
            Some(0) => one,
            Some(_) => s,
            None => self.choose(nonzero, s, one),
        };
        let less = self.choose(back, one, SubExp::i64(-1));
        let empty = self.eq64(distance, zero);
        let n = if constant.is_some_and(|c| c.unsigned_abs() < 1 << 32) {
            let up = self.add(divisor, less);
            let up = self.add(distance, up);
            self.binop(BinOp::SQuot(IntType::I64), up, divisor)
        } else {
            // Distance and stride together may wrap.
            let within = self.add(distance, less);
            let before = self.binop(BinOp::SQuot(IntType::I64), within, divisor);
            let some = self.add(before, one);
            self.choose(empty, zero, some)
        };
        // The distance may have wrapped.
        let sane = self.le(zero, n);
        // Forwards 0 <= i <= j, backwards j <= i < w; and the last index is in bounds.
        let before = self.sub(n, one);
        let reach = self.mul(before, s);
        let final_ = self.add(i, reach);
        let f1 = self.le(zero, i);
        let f2 = self.le(i, j);
        let f3 = self.lt(final_, w);
        let f = self.and(f1, f2);
        let f = self.and(f, f3);
        let b1 = self.le(zero, final_);
        let b2 = self.le(j, i);
        let b3 = self.lt(i, w);
        let b = self.and(b1, b2);
        let b = self.and(b, b3);
        let inside = match constant {
            Some(c) if c < 0 => b,
            Some(_) => f,
            None => {
                let forwards = self.unop(ir::UnOp::Not, back);
                let f = self.and(forwards, f);
                let b = self.and(back, b);
                self.or(f, b)
            }
        };
        let ok = self.or(empty, inside);
        let ok = self.and(nonzero, ok);
        let ok = self.and(sane, ok);
        (DimIndex::Slice { start: i, n, stride: s }, ok)
    }

    /// `if c then x else y` of `i64`s.
    pub(super) fn choose(&mut self, c: SubExp, x: SubExp, y: SubExp) -> SubExp {
        if let SubExp::Const(ir::Const::Bool(b)) = c {
            return if b { x } else { y };
        }
        if x == y {
            return x;
        }
        let exp = ir::Exp::Match {
            scrutinee: c,
            cases: vec![(ir::Const::Bool(true), Self::body(Vec::new(), vec![x]))],
            default: Self::body(Vec::new(), vec![y]),
        };
        let ty = self.ty(x);
        SubExp::Var(self.emit("sel", exp, ty))
    }

    /// Dimensions for a leaf: those given, and the whole of what is left.
    pub(super) fn whole(&self, leaf: SubExp, dims: &[DimIndex]) -> (Vec<DimIndex>, Vec<SubExp>) {
        let shape = self.shape(leaf);
        let mut all = dims.to_vec();
        for n in shape.iter().skip(dims.len()) {
            all.push(DimIndex::Slice { start: SubExp::i64(0), n: *n, stride: SubExp::i64(1) });
        }
        let out = all
            .iter()
            .filter_map(|d| match d {
                DimIndex::Fix(_) => None,
                DimIndex::Slice { n, .. } => Some(*n),
            })
            .collect();
        (all, out)
    }

    /// `a[…]` with dimensions known to be in bounds.
    pub(super) fn take(&mut self, array: &Value, dims: &[DimIndex], certs: &[Var]) -> R<Value> {
        let Some(ls) = leaves(array) else { return self.bug("an index of functions") };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let SubExp::Var(v) = l else { return self.bug("an index of a scalar") };
            let (dims, shape) = self.whole(l, dims);
            let ty = Type::array(self.elem(l), shape);
            let exp = ir::Exp::Index { array: v, dims };
            out.push(self.emit_with(v.base.as_str(), exp, ty, certs).into());
        }
        Ok(array.with_leaves(&mut out.into_iter()))
    }

    /// The row of that number, known to be in bounds.
    pub(super) fn row(&mut self, array: &Value, i: SubExp) -> R<Value> {
        self.take(array, &[DimIndex::Fix(i)], &[])
    }

    /// `a[…]`
    pub(super) fn index(
        &mut self,
        array: &Value,
        index: &[program::DimIndex],
        frame: FrameId,
    ) -> R<Value> {
        let Some(first) = array.first_leaf() else { return self.bug("an index of no array") };
        let shape = self.shape(first);
        let (dims, certs) = self.dims(&shape, index, frame)?;
        self.take(array, &dims, &certs)
    }

    /// `start..second...end`
    pub(super) fn range(
        &mut self,
        start: &Exp,
        second: Option<&Exp>,
        end: &RangeEnd,
        frame: FrameId,
    ) -> R<Value> {
        let ty = self.prim_of(start, frame)?;
        let Some(int) = core_int(ty) else { return self.bug("a range of what is no integer") };
        let first = self.eval_leaf(start, frame)?;
        let second = match second {
            Some(e) => Some(self.eval_leaf(e, frame)?),
            None => None,
        };
        let (bound, dots) = match end {
            RangeEnd::Inclusive(e) => (self.eval_leaf(e, frame)?, "..."),
            RangeEnd::UpTo(e) => (self.eval_leaf(e, frame)?, "..<"),
            RangeEnd::DownTo(e) => (self.eval_leaf(e, frame)?, "..>"),
        };
        let one = SubExp::i64(1);
        let a = self.widen(first, ty);
        let z = self.widen(bound, ty);
        let step = match second {
            Some(s) => {
                let b = self.widen(s, ty);
                self.sub(b, a)
            }
            None if matches!(end, RangeEnd::DownTo(_)) => SubExp::i64(-1),
            None => one,
        };
        let mut msg = vec![text("Range "), MsgPart::Value(first, ty)];
        if let Some(s) = second {
            msg.push(text(".."));
            msg.push(MsgPart::Value(s, ty));
        }
        msg.push(text(dots));
        msg.push(MsgPart::Value(bound, ty));
        msg.push(text(" is invalid."));
        let (n, certs) = self.range_size(a, step, z, end, int, msg);
        let stride = match step {
            SubExp::Const(c) => ir::Const::int(int, c.as_int().unwrap_or(1)).into(),
            SubExp::Var(_) => self.conv(ConvOp::SExt(IntType::I64, int), step),
        };
        let exp = ir::Exp::Iota { n, start: first, stride, ty: int };
        let out = Type::array(ir::Prim::Int(int), vec![n]);
        Ok(Value::Leaf(self.emit_with("range", exp, out, &certs).into()))
    }

    fn range_size(
        &mut self,
        a: SubExp,
        step: SubExp,
        z: SubExp,
        end: &RangeEnd,
        ty: IntType,
        msg: Vec<MsgPart>,
    ) -> (SubExp, Vec<Var>) {
        let zero = SubExp::i64(0);
        let one = SubExp::i64(1);
        let known = match step {
            SubExp::Const(c) => c.as_int(),
            SubExp::Var(_) => None,
        };
        let down = match known {
            Some(c) => SubExp::bool(c < 0),
            None => self.lt(step, zero),
        };
        let up_ok = self.le(a, z);
        let down_ok = self.le(z, a);
        let straight = match known {
            Some(c) if c < 0 => down_ok,
            Some(_) => up_ok,
            None => {
                let up = self.unop(ir::UnOp::Not, down);
                let x = self.and(down, down_ok);
                let y = self.and(up, up_ok);
                self.or(x, y)
            }
        };
        let direction = match end {
            RangeEnd::Inclusive(_) => SubExp::bool(true),
            RangeEnd::UpTo(_) => self.unop(ir::UnOp::Not, down),
            RangeEnd::DownTo(_) => down,
        };
        let is_zero = self.eq64(step, zero);
        let nonzero = self.unop(ir::UnOp::Not, is_zero);
        let ok = self.and(straight, direction);
        let ok = self.and(ok, nonzero);
        // The distance and the step, both made positive; then divide rounding up.
        let (distance, size) = match known {
            Some(c) if c > 0 => (self.sub(z, a), SubExp::i64(c)),
            Some(c) if c < 0 => (self.sub(a, z), SubExp::i64(c.wrapping_neg())),
            Some(_) => (zero, one),
            None => {
                let forwards = self.sub(z, a);
                let back = self.sub(a, z);
                let d = self.choose(down, back, forwards);
                let neg = self.sub(zero, step);
                let s = self.choose(down, neg, step);
                (d, self.choose(nonzero, s, one))
            }
        };
        let inclusive = matches!(end, RangeEnd::Inclusive(_));
        let beyond = if inclusive { self.add(distance, one) } else { distance };
        let n = match known {
            Some(1 | -1) => beyond,
            // If that is more than there are numbers, nothing can hold them anyway.
            Some(c) if c.unsigned_abs() <= MODEST => {
                let more = self.sub(size, one);
                let total = self.add(beyond, more);
                self.binop(BinOp::SQuot(IntType::I64), total, size)
            }
            // Without a sign, distances and steps of all sizes are right.
            _ => {
                let last = if inclusive { distance } else { self.sub(distance, one) };
                let steps = self.binop(BinOp::UDiv(IntType::I64), last, size);
                let all = self.add(steps, one);
                if inclusive {
                    all
                } else {
                    let none = self.eq64(distance, zero);
                    self.choose(none, zero, all)
                }
            }
        };
        let sane = if ty != IntType::I64 {
            SubExp::bool(true)
        } else {
            // Nothing wraps between a start that is not negative and a bound that is excluded.
            let far = match end {
                RangeEnd::UpTo(_) if size == one => self.le(zero, a),
                RangeEnd::Inclusive(_) if size == one => self.le(one, a),
                _ => SubExp::bool(false),
            };
            let sane = self.le(zero, n);
            self.or(far, sane)
        };
        let ok = self.and(ok, sane);
        let certs = self.check_size(ok, msg);
        (n, certs)
    }
}
