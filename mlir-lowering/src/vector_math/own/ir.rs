//! Floats, one or a vector of them: the body of a function in the making.

use crate::cpu::OURS;
use crate::dialect::{
    Builder, Combining, FPredicate, FloatOp, Licence, Linkage, Math, Predicate, Val,
};
use crate::vector_math::names::variant;
use crate::{Error, ffi};
use futc_midend::ir::Const;
use melior::ir::block::BlockLike;
use melior::ir::{Type, ValueLike};
use std::cell::RefCell;
use std::collections::HashSet;

/// What the names of functions begin with that call one of single floats for each lane.
pub(in super::super) const LANE_BY_LANE: &str = "futc.each.";

pub(super) type Result<T> = std::result::Result<T, Error>;

/// The widths of floats that there are functions for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Width {
    F32,
    F64,
}

impl Width {
    pub(super) fn bytes(self) -> i64 {
        match self {
            Width::F32 => 4,
            Width::F64 => 8,
        }
    }

    /// Bits of the mantissa as stored, and the bias of the exponent.
    pub(super) fn format(self) -> (i64, i64) {
        match self {
            Width::F32 => (23, 127),
            Width::F64 => (52, 1023),
        }
    }

    /// A float's bits as an integer of as many.
    pub(super) fn bits(self, x: f64) -> i64 {
        match self {
            Width::F32 => i64::from((x as f32).to_bits().cast_signed()),
            Width::F64 => x.to_bits().cast_signed(),
        }
    }
}

/// A vector interface of the C library: its letter, and the bytes of its vectors.
pub(in super::super) type Interface = (char, i64);

/// How many floats a function is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shape {
    /// One: the function is scalar.
    One,
    /// So many lanes, for an interface.
    Lanes(u64, Interface),
}

/// The body of a function in the making.
#[derive(Clone)]
pub(super) struct Ir<'c, 's> {
    pub(super) b: Builder<'c, 's>,
    /// What appends to the module.
    pub(super) module: &'s Builder<'c, 's>,
    /// What the module has.
    pub(super) declared: &'s RefCell<HashSet<String>>,
    pub(super) width: Width,
    pub(super) shape: Shape,
    /// The processor multiplies and adds in one instruction.
    pub(super) fused: bool,
}

/// Operators of floats and of integers.
macro_rules! operators {
    ($($name:ident)*; $($float:ident $op:ident)*) => {
        $(
            pub(super) fn $name(&self, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
                self.b.$name(x, y)
            }
        )*
        $(
            pub(super) fn $float(&self, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
                self.b.float(FloatOp::$op, x, y, Licence::None)
            }
        )*
    };
}

impl<'c> Ir<'c, '_> {
    operators!(addi subi shli shrsi andi xori; add Add sub Sub mul Mul div Div);

    /// What one float, or one integer, is in this function: itself, or a vector.
    fn shaped(&self, scalar: Type<'c>) -> Type<'c> {
        match self.shape {
            Shape::One => scalar,
            Shape::Lanes(n, _) => Type::vector(&[n], scalar),
        }
    }

    /// The type of floats.
    pub(super) fn floats(&self) -> Type<'c> {
        self.shaped(self.scalar())
    }

    /// The type of one float.
    pub(super) fn scalar(&self) -> Type<'c> {
        let types = self.b.types();
        match self.width {
            Width::F32 => types.f32,
            Width::F64 => types.f64,
        }
    }

    fn ints(&self) -> Type<'c> {
        let types = self.b.types();
        self.shaped(match self.width {
            Width::F32 => types.i32,
            Width::F64 => types.i64,
        })
    }

    /// A float in every lane.
    pub(super) fn float(&self, x: f64) -> Result<Val<'c>> {
        let x = match self.width {
            Width::F32 => Const::F32(x as f32),
            Width::F64 => Const::F64(x),
        };
        self.b.constant_in(self.floats(), x)
    }

    pub(super) fn int(&self, x: i64) -> Result<Val<'c>> {
        self.b.int(self.ints(), x)
    }

    pub(super) fn minus(&self, x: Val<'c>) -> Result<Val<'c>> {
        self.b.negf(x)
    }

    pub(super) fn math(&self, function: Math, xs: &[Val<'c>]) -> Result<Val<'c>> {
        self.b.math(function, xs)
    }

    /// `x · y + z`, where the processor can with a single rounding.
    pub(super) fn fma(&self, x: Val<'c>, y: Val<'c>, z: Val<'c>) -> Result<Val<'c>> {
        match self.fused {
            true => self.math(Math::Fma, &[x, y, z]),
            false => self.add(self.mul(x, y)?, z),
        }
    }

    /// In which lanes a comparison holds.
    pub(super) fn holds(&self, op: FPredicate, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        self.b.cmpf(op, x, y)
    }

    /// In which lanes an integer is not zero.
    pub(super) fn is_not_zero(&self, x: Val<'c>) -> Result<Val<'c>> {
        self.b.cmpi(Predicate::Ne, x, self.int(0)?)
    }

    /// In which lanes something does not hold.
    pub(super) fn not(&self, x: Val<'c>) -> Result<Val<'c>> {
        self.b.xori(x, self.b.int(x.r#type(), 1)?)
    }

    /// `yes` where `c` holds, else `no`.
    pub(super) fn select(&self, c: Val<'c>, yes: Val<'c>, no: Val<'c>) -> Result<Val<'c>> {
        self.b.select(c, yes, no)
    }

    /// `yes` where the comparison holds, else `no`.
    pub(super) fn choose(
        &self,
        op: FPredicate,
        x: Val<'c>,
        y: Val<'c>,
        yes: Val<'c>,
        no: Val<'c>,
    ) -> Result<Val<'c>> {
        let c = self.holds(op, x, y)?;
        self.select(c, yes, no)
    }

    /// Declares a function once in the module.
    pub(super) fn declare(&self, symbol: &str, ty: Type<'c>, arity: usize) -> Result<()> {
        if self.declared.borrow_mut().insert(symbol.to_owned()) {
            self.module.llvm_func(symbol, &vec![ty; arity], Some(ty))?;
        }
        Ok(())
    }

    /// A call of a function outside of the module, whose result has the type of its arguments.
    pub(super) fn call(&self, symbol: &str, ty: Type<'c>, xs: &[Val<'c>]) -> Result<Val<'c>> {
        self.declare(symbol, ty, xs.len())?;
        let value = self.b.llvm_call(symbol, xs, Some(ty))?;
        value.ok_or_else(|| Error::bug("a function without a result"))
    }

    /// The C library's function of `x`: of one float, that of its width; of lanes, that of `f64`, as often as it
    /// takes for so many.
    pub(super) fn library(&self, function: Math, x: Val<'c>) -> Result<Val<'c>> {
        let Shape::Lanes(lanes, (letter, bytes)) = self.shape else {
            return self.math(function, &[x]);
        };
        let name =
            function.c_name().ok_or_else(|| Error::bug("an operation of the processor's"))?;
        if letter == OURS {
            let suffix = if self.width == Width::F32 { "f" } else { "" };
            return self.lane_by_lane(&format!("{name}{suffix}"), &[x]);
        }
        if self.width == Width::F32 {
            let wide = self.in_double();
            let x = self.b.extf(x, wide.floats())?;
            let y = wide.library(function, x)?;
            return self.b.truncf(y, self.floats());
        }
        let (symbol, part) = variant(name, 1, Width::F64.bytes(), letter, bytes);
        let part = u64::from(part);
        let ty = Type::vector(&[part], self.scalar());
        if part == lanes {
            return self.call(&symbol, ty, &[x]);
        }
        let numbers =
            |from: u64, to: u64| -> Vec<i64> { (from..to).map(u64::cast_signed).collect() };
        let half = |from: u64| {
            let x = self.b.vector_shuffle(x, x, &numbers(from, from + part))?;
            self.call(&symbol, ty, &[x])
        };
        // Vectors of `f32` have twice the lanes, never more.
        let (low, high) = (half(0)?, half(part)?);
        self.b.vector_shuffle(low, high, &numbers(0, 2 * part))
    }

    /// The same in `f64`.
    pub(super) fn in_double(&self) -> Self {
        Ir { width: Width::F64, ..self.clone() }
    }

    /// A function of single floats for each lane: a call of a function that LLVM leaves as it is. It would see
    /// that this is what a vector function does, and call that.
    pub(super) fn lane_by_lane(&self, scalar: &str, xs: &[Val<'c>]) -> Result<Val<'c>> {
        let (vector, element) = (self.floats(), self.scalar());
        let Shape::Lanes(lanes, _) = self.shape else { return self.call(scalar, element, xs) };
        let name = format!("{LANE_BY_LANE}{scalar}.v{lanes}");
        let types = vec![vector; xs.len()];
        if self.declared.borrow_mut().insert(name.clone()) {
            let (region, entry) = ffi::region_with_block(&types, self.b.location);
            let b = Builder::new(self.b.shared, entry, self.b.location);
            let inside = Ir { b, ..self.clone() };
            let mut result = inside.b.llvm_poison(vector)?;
            for lane in 0..lanes.cast_signed() {
                let of_lane = |i| -> Result<Val<'c>> {
                    let x = ffi::detach_value(entry.argument(i)?.into());
                    inside.b.llvm_extractelement(x, lane)
                };
                let xs = (0..xs.len()).map(of_lane).collect::<Result<Vec<_>>>()?;
                let y = inside.call(scalar, element, &xs)?;
                result = inside.b.llvm_insertelement(result, y, lane)?;
            }
            inside.b.func_return(&[result])?;
            self.module.func(&name, &types, &[vector], Linkage::External, region)?;
        }
        let values = self.b.func_call(&name, xs, &[vector])?;
        values.first().copied().ok_or_else(|| Error::bug("a function without a result"))
    }

    /// `y`, but where `special` holds what `exact` makes. That hardly ever happens.
    pub(super) fn rarely(
        &self,
        special: Val<'c>,
        y: Val<'c>,
        exact: impl FnOnce(&Ir<'c, '_>) -> Result<Val<'c>>,
    ) -> Result<Val<'c>> {
        let any = match self.shape {
            Shape::One => special,
            Shape::Lanes(..) => self.b.vector_reduction(Combining::Or, special)?,
        };
        let any = self.b.llvm_unlikely(any)?;
        let inside = || {
            let (region, block) = ffi::region_with_block(&[], self.b.location);
            let b = Builder::new(self.b.shared, block, self.b.location);
            (region, Ir { b, ..self.clone() })
        };
        let (rare, ir) = inside();
        let exact = exact(&ir)?;
        let exact = ir.select(special, exact, y)?;
        ir.b.scf_yield(&[exact])?;
        let (usual, ir) = inside();
        ir.b.scf_yield(&[y])?;
        self.b.scf_if_value(any, self.floats(), rare, usual)
    }

    pub(super) fn bits_of(&self, x: Val<'c>) -> Result<Val<'c>> {
        self.b.bitcast(x, self.ints())
    }

    pub(super) fn float_of(&self, x: Val<'c>) -> Result<Val<'c>> {
        self.b.bitcast(x, self.floats())
    }

    /// An integer's value as a float.
    pub(super) fn float_from(&self, x: Val<'c>) -> Result<Val<'c>> {
        self.b.sitofp(x, self.floats())
    }

    /// 2 to the power of an integer whose power is a normal number.
    pub(super) fn power(&self, k: Val<'c>) -> Result<Val<'c>> {
        let (mantissa, bias) = self.width.format();
        let k = self.addi(k, self.int(bias)?)?;
        let k = self.shli(k, self.int(mantissa)?)?;
        self.float_of(k)
    }

    /// The polynomial with these coefficients, the highest first.
    pub(super) fn horner(&self, x: Val<'c>, coefficients: &[f64]) -> Result<Val<'c>> {
        let mut p: Option<Val<'c>> = None;
        for c in coefficients {
            let c = self.float(*c)?;
            p = Some(match p {
                None => c,
                Some(p) => self.fma(p, x, c)?,
            });
        }
        p.map_or_else(|| self.float(0.0), Ok)
    }

    /// The natural logarithm of 2 as a number with so few bits that its product with an exponent is
    /// one without rounding, and the rest.
    pub(super) fn ln2(&self) -> (f64, f64) {
        match self.width {
            Width::F32 => (0.693_145_751_953_125, 1.428_606_820_309_417_2e-6),
            Width::F64 => (0.693_147_180_560_117_7, -1.723_944_452_561_483_5e-13),
        }
    }
}
