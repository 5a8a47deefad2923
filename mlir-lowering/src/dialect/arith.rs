//! `arith`: constants, integers and floats, of scalars as of vectors.

use super::{Builder, Ix, Val, lanes_of};
use crate::Error;
use futc_midend::ir::{Const, Prim};
use melior::ir::attribute::{
    BoolAttribute, DenseElementsAttribute, FloatAttribute, IntegerAttribute,
};
use melior::ir::operation::{OperationLike as _, OperationRef};
use melior::ir::{Attribute, Type, ValueLike};

/// Operations on two operands of one type, which their result has too.
macro_rules! binary {
    ($($name:ident)*) => {
        impl<'c> Builder<'c, '_> {
            $(
                #[doc = concat!("`arith.", stringify!($name), "`")]
                pub fn $name(&self, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
                    self.same(concat!("arith.", stringify!($name)), &[a, b])
                }
            )*
        }
    };
}

/// Operations on an operand, to a type.
macro_rules! conversions {
    ($($name:ident)*) => {
        impl<'c> Builder<'c, '_> {
            $(
                #[doc = concat!("`arith.", stringify!($name), "`")]
                pub fn $name(&self, x: Val<'c>, to: Type<'c>) -> Result<Val<'c>, Error> {
                    self.value(concat!("arith.", stringify!($name)), &[x], to)
                }
            )*
        }
    };
}

binary! {
    addi subi muli divsi divui remsi remui andi ori xori shli shrsi shrui maxsi maxui minsi minui
}
conversions! { extui extsi trunci extf truncf bitcast index_cast sitofp uitofp fptosi }

/// What may be done with a float operation besides what it says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Licence {
    /// Nothing: it is rounded once, as IEEE has it.
    #[default]
    None,
    /// Sums and products may be reordered.
    Reassociate,
    /// And operations contracted to fused ones, divisions be multiplications by reciprocals and roots and reciprocals
    /// approximations; signs of zero do not matter. Infinities and what is not a number stay what they are, but
    /// what a minimum or maximum makes of what is not a number is not said.
    Fast,
}

/// Names of attributes with the same flags: of operations of `arith` and `math`, and of those of the LLVM dialect.
type Flags = (&'static str, &'static str);

macro_rules! flags {
    ($flags:literal) => {
        (concat!("#arith.fastmath<", $flags, ">"), concat!("#llvm.fastmath<", $flags, ">"))
    };
}

const REASSOCIATE: Flags = flags!("reassoc");
const FAST: Flags = flags!("reassoc,nsz,arcp,contract,afn");
/// That no operand is no number lets an extremum be one instruction, and a loop's be those of several lanes. What comes of it
/// otherwise is undetermined, which is harmless for what decides nothing.
const EXTREMUM: Flags = flags!("nnan,nsz");

impl Licence {
    fn flags(self, extremum: bool) -> Option<Flags> {
        match self {
            Licence::Fast if extremum => Some(EXTREMUM),
            Licence::Fast => Some(FAST),
            Licence::Reassociate if !extremum => Some(REASSOCIATE),
            Licence::Reassociate | Licence::None => None,
        }
    }
}

/// Float operations that there may be a licence for.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names say it")]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

impl<'c> Builder<'c, '_> {
    /// A float operation.
    pub fn float(
        &self,
        op: FloatOp,
        a: Val<'c>,
        b: Val<'c>,
        licence: Licence,
    ) -> Result<Val<'c>, Error> {
        let name = match op {
            FloatOp::Add => "arith.addf",
            FloatOp::Sub => "arith.subf",
            FloatOp::Mul => "arith.mulf",
            FloatOp::Div => "arith.divf",
            FloatOp::Min => "arith.minnumf",
            FloatOp::Max => "arith.maxnumf",
        };
        let extremum = matches!(op, FloatOp::Min | FloatOp::Max);
        self.with_flags(name, &[a, b], licence.flags(extremum))
    }

    /// `math.sqrt`, for which there is an approximation.
    pub fn root(&self, x: Val<'c>, licence: Licence) -> Result<Val<'c>, Error> {
        self.with_flags("math.sqrt", &[x], licence.flags(false))
    }

    fn with_flags(
        &self,
        name: &str,
        xs: &[Val<'c>],
        flags: Option<Flags>,
    ) -> Result<Val<'c>, Error> {
        let Some((flags, _)) = flags else { return self.same(name, xs) };
        let first = xs.first().ok_or_else(|| Error::bug("operation without operands"))?;
        let flags = self.shared.attribute(flags)?;
        self.value_with(name, xs, first.r#type(), &[("fastmath", flags)])
    }

    /// The flags of an operation of `arith` or `math`, for one of the LLVM dialect; nothing if it has none.
    pub fn flags_of(
        &self,
        operation: OperationRef<'c, '_>,
    ) -> Result<Option<Attribute<'c>>, Error> {
        let Ok(found) = operation.attribute("fastmath") else { return Ok(None) };
        for (here, there) in [REASSOCIATE, FAST, EXTREMUM] {
            if self.shared.attribute(here)? == found {
                return self.shared.attribute(there).map(Some);
            }
        }
        Ok(None)
    }

    /// `arith.addf`
    pub fn addf(&self, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        self.float(FloatOp::Add, a, b, Licence::None)
    }

    /// `arith.subf`
    pub fn subf(&self, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        self.float(FloatOp::Sub, a, b, Licence::None)
    }

    /// `arith.mulf`
    pub fn mulf(&self, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        self.float(FloatOp::Mul, a, b, Licence::None)
    }

    /// `arith.divf`
    pub fn divf(&self, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        self.float(FloatOp::Div, a, b, Licence::None)
    }

    /// `arith.negf`
    pub fn negf(&self, x: Val<'c>) -> Result<Val<'c>, Error> {
        self.same("arith.negf", &[x])
    }

    /// The attribute of a scalar constant.
    pub fn constant_attribute(&self, c: Const) -> Result<Attribute<'c>, Error> {
        let ty = self.types().prim(c.prim());
        let exact = match c {
            Const::F16(x) => Some(x.to_f64()),
            Const::F32(x) => Some(f64::from(x)),
            Const::F64(x) => Some(x),
            _ => None,
        };
        Ok(match c.prim() {
            Prim::Bool => BoolAttribute::new(self.shared.context, c.bits() != 0).into(),
            Prim::Int(_) => IntegerAttribute::new(ty, c.as_int().unwrap_or(0)).into(),
            Prim::Float(f) => match exact {
                Some(x) if !x.is_nan() => FloatAttribute::new(self.shared.context, ty, x).into(),
                // By bits, so that every NaN is itself: the constructor would make one quiet.
                _ => {
                    let (bits, width) = (c.bits(), f.bits() as usize / 4);
                    let text = format!("0x{bits:0width$X} : {f}");
                    Attribute::parse(self.shared.context, &text)
                        .ok_or_else(|| Error::bug(format_args!("no such float: {text}")))?
                }
            },
        })
    }

    fn constant_of(&self, ty: Type<'c>, value: Attribute<'c>) -> Result<Val<'c>, Error> {
        self.value_with("arith.constant", &[], ty, &[("value", value)])
    }

    fn splat(&self, ty: Type<'c>, value: Attribute<'c>) -> Result<Val<'c>, Error> {
        let dense = DenseElementsAttribute::new(ty, &[value])?;
        self.constant_of(ty, dense.into())
    }

    /// A scalar constant.
    pub fn constant(&self, c: Const) -> Result<Val<'c>, Error> {
        self.constant_of(self.types().prim(c.prim()), self.constant_attribute(c)?)
    }

    /// A constant, in every lane if `ty` is a vector.
    pub fn constant_in(&self, ty: Type<'c>, c: Const) -> Result<Val<'c>, Error> {
        if lanes_of(ty).is_none() {
            return self.constant(c);
        }
        let ty = self.shaped(ty, self.types().prim(c.prim()));
        self.splat(ty, self.constant_attribute(c)?)
    }

    /// A constant vector of `i64`.
    pub fn words(&self, lanes: &[i64]) -> Result<Val<'c>, Error> {
        let n = u64::try_from(lanes.len()).map_err(Error::bug)?;
        let ty = Type::vector(&[n], self.types().i64);
        self.constant_of(ty, DenseElementsAttribute::i64_values(ty, lanes).into())
    }

    /// An integer constant of an MLIR integer type or `index`, or of a vector of such.
    pub fn int(&self, ty: Type<'c>, x: i64) -> Result<Val<'c>, Error> {
        let types = self.types();
        let number = |scalar: Type<'c>| -> Attribute<'c> {
            if scalar == types.i1 {
                BoolAttribute::new(self.shared.context, x != 0).into()
            } else {
                IntegerAttribute::new(scalar, x).into()
            }
        };
        match lanes_of(ty) {
            Some(_) => self.splat(ty, number(crate::ffi::element_of(ty))),
            None => self.constant_of(ty, number(ty)),
        }
    }

    /// An `i64` constant.
    pub fn i64(&self, x: i64) -> Result<Val<'c>, Error> {
        self.int(self.types().i64, x)
    }

    /// The value of an index.
    pub fn ix(&self, x: Ix<'c>) -> Result<Val<'c>, Error> {
        match x {
            Ix::Const(x) => self.i64(x),
            Ix::Val(v) => Ok(v),
        }
    }

    /// The value of an index, as type `index`: made once, right behind the value itself.
    pub fn index(&self, x: Ix<'c>) -> Result<Val<'c>, Error> {
        match x {
            Ix::Const(x) => self.index_constant(x),
            Ix::Val(v) if v.r#type() == self.types().index => Ok(v),
            Ix::Val(v) => {
                let key = v.to_raw().ptr as usize;
                if let Some(made) = self.shared.indexes.borrow().get(&key) {
                    return Ok(*made);
                }
                let made = self.behind(v)?.index_cast(v, self.types().index)?;
                self.shared.indexes.borrow_mut().insert(key, made);
                Ok(made)
            }
        }
    }

    /// Within a block, made once.
    fn index_constant(&self, x: i64) -> Result<Val<'c>, Error> {
        let index = self.types().index;
        if self.at.before.is_some() {
            return self.int(index, x);
        }
        let key = (self.at.block.to_raw().ptr as usize, x);
        if let Some(made) = self.shared.constants.borrow().get(&key) {
            return Ok(*made);
        }
        let made = self.int(index, x)?;
        self.shared.constants.borrow_mut().insert(key, made);
        Ok(made)
    }

    /// `a + b`, which does not overflow.
    pub fn add(&self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        match (a, b) {
            (Ix::Const(x), Ix::Const(y)) => Ok(Ix::Const(x.wrapping_add(y))),
            (x, Ix::Const(0)) | (Ix::Const(0), x) => Ok(x),
            (x, y) => self.index_arithmetic("arith.addi", x, y),
        }
    }

    /// `a - b`, which does not overflow.
    pub fn sub(&self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        match (a, b) {
            (Ix::Const(x), Ix::Const(y)) => Ok(Ix::Const(x.wrapping_sub(y))),
            (x, Ix::Const(0)) => Ok(x),
            (x, y) => self.index_arithmetic("arith.subi", x, y),
        }
    }

    /// `a · b`, which does not overflow.
    pub fn mul(&self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        match (a, b) {
            (Ix::Const(x), Ix::Const(y)) => Ok(Ix::Const(x.wrapping_mul(y))),
            (_, Ix::Const(0)) | (Ix::Const(0), _) => Ok(Ix::Const(0)),
            (x, Ix::Const(1)) | (Ix::Const(1), x) => Ok(x),
            (x, y) => self.index_arithmetic("arith.muli", x, y),
        }
    }

    /// `k + first` of indexes, neither of which is negative, which does not overflow. That `first` is not negative is said
    /// again, as nothing else tells LLVM.
    pub fn add_indexes(&self, k: Val<'c>, first: Val<'c>) -> Result<Val<'c>, Error> {
        let flags = self.shared.attribute("#arith.overflow<nsw, nuw>")?;
        let i64 = self.types().i64;
        let first = self.maxsi(first, self.int(i64, 0)?)?;
        self.value_with("arith.addi", &[k, first], i64, &[("overflowFlags", flags)])
    }

    fn index_arithmetic(&self, name: &str, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        let flags = self.shared.attribute("#arith.overflow<nsw>")?;
        let operands = [self.ix(a)?, self.ix(b)?];
        self.value_with(name, &operands, self.types().i64, &[("overflowFlags", flags)]).map(Ix::Val)
    }

    /// Integer comparison.
    pub fn cmpi(&self, predicate: Predicate, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        let attribute = self.shared.word(predicate as i64);
        let bool_ = self.shaped(a.r#type(), self.types().i1);
        self.value_with("arith.cmpi", &[a, b], bool_, &[("predicate", attribute)])
    }

    /// Float comparison.
    pub fn cmpf(&self, predicate: FPredicate, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        let attribute = self.shared.word(predicate as i64);
        let bool_ = self.shaped(a.r#type(), self.types().i1);
        self.value_with("arith.cmpf", &[a, b], bool_, &[("predicate", attribute)])
    }

    /// `if c then a else b` of values.
    pub fn select(&self, c: Val<'c>, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        self.value("arith.select", &[c, a, b], a.r#type())
    }
}

/// Predicates of `arith.cmpi`.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names are MLIR's")]
pub enum Predicate {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Ult = 6,
    Ule = 7,
}

/// Predicates of `arith.cmpf`.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names are MLIR's")]
pub enum FPredicate {
    Oeq = 1,
    Ogt = 2,
    Olt = 4,
    Ole = 5,
    Ugt = 9,
    Ult = 11,
    Une = 13,
    Uno = 14,
}
