//! Types of generated programs.

use futc_typed::prim::PrimType;
use std::fmt;
use std::sync::Arc;

/// A scalar type. Floats come in two kinds: of exact ones every target must compute the same, so
/// they may decide branches and become integers; approximate ones come from mathematical functions
/// and from sums in any order, and only ever flow into approximate ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// As every target must compute it.
    Exact(PrimType),
    /// An `f32` or `f64` that may differ in its last digits.
    Near(PrimType),
}

impl Scalar {
    /// A value made of two of this type, as text.
    pub fn of_two(self, a: &str, b: &str) -> String {
        match self {
            Scalar::Exact(PrimType::Bool) => format!("{a} != {b}"),
            Scalar::Exact(q) if q.is_float() => format!("{q}.max {a} {b}"),
            Scalar::Exact(_) => format!("{a} * 3 + {b}"),
            Scalar::Near(_) => format!("0.5 * {a} + 0.5 * {b}"),
        }
    }

    /// The type as the language knows it.
    pub fn prim(self) -> PrimType {
        match self {
            Scalar::Exact(p) | Scalar::Near(p) => p,
        }
    }
}

/// A size of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    /// A number.
    Const(i64),
    /// A size in scope.
    Name(Arc<str>),
    /// The sum of two, as of a concatenation.
    Sum(Box<Size>, Box<Size>),
    /// The product of two, as of a flattened array.
    Product(Box<Size>, Box<Size>),
}

impl Size {
    /// As an expression, in parentheses where it is more than a word.
    pub fn to_text(&self) -> String {
        match self {
            Size::Const(k) => format!("{k}i64"),
            Size::Name(s) => s.to_string(),
            Size::Sum(..) | Size::Product(..) => format!("({self})"),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |s: &Size| match s {
            Size::Const(_) | Size::Name(_) => s.to_string(),
            Size::Sum(..) | Size::Product(..) => format!("({s})"),
        };
        match self {
            Size::Const(n) => write!(f, "{n}"),
            Size::Name(n) => f.write_str(n),
            Size::Sum(a, b) => write!(f, "{} + {}", inner(a), inner(b)),
            Size::Product(a, b) => write!(f, "{} * {}", inner(a), inner(b)),
        }
    }
}

/// A sum type that is defined at top level.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct SumType {
    /// Its name.
    pub name: String,
    /// Constructors and their payloads, which hold no arrays.
    pub constructors: Vec<(String, Vec<Ty>)>,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Size, Box<Ty>),
    /// A tuple of at least two.
    Tuple(Vec<Ty>),
    /// A record.
    Record(Vec<(&'static str, Ty)>),
    /// A sum.
    Sum(Arc<SumType>),
    /// A type parameter of the function around.
    Param(Arc<str>),
}

/// Integer types.
pub const INTS: [PrimType; 8] = [
    PrimType::I8,
    PrimType::I16,
    PrimType::I32,
    PrimType::I64,
    PrimType::U8,
    PrimType::U16,
    PrimType::U32,
    PrimType::U64,
];

impl Ty {
    /// `i64`.
    pub const I64: Ty = Ty::Scalar(Scalar::Exact(PrimType::I64));
    /// `bool`.
    pub const BOOL: Ty = Ty::Scalar(Scalar::Exact(PrimType::Bool));

    /// An exact scalar.
    pub fn exact(p: PrimType) -> Ty {
        Ty::Scalar(Scalar::Exact(p))
    }

    /// An array.
    pub fn array(n: &Size, t: Ty) -> Ty {
        Ty::Array(n.clone(), Box::new(t))
    }

    /// Whether values of it may share memory with others.
    pub fn has_arrays(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Sum(_) => false,
            Ty::Array(..) | Ty::Param(_) => true,
            Ty::Tuple(ts) => ts.iter().any(Ty::has_arrays),
            Ty::Record(fs) => fs.iter().any(|(_, t)| t.has_arrays()),
        }
    }

    /// An array of scalars, or a scalar: its element type and rank.
    pub fn transparent(&self) -> Option<(Scalar, usize)> {
        match self {
            Ty::Scalar(s) => Some((*s, 0)),
            Ty::Array(_, t) => t.transparent().map(|(s, r)| (s, r + 1)),
            Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::Param(_) => None,
        }
    }

    /// Some value of it, without variables but for sizes; none of a type parameter.
    pub fn plain(&self) -> Option<String> {
        Some(match self {
            Ty::Scalar(s) if s.prim() == PrimType::Bool => "true".into(),
            Ty::Scalar(s) if s.prim().is_float() => format!("1.0{}", s.prim()),
            Ty::Scalar(s) => format!("1{}", s.prim()),
            Ty::Array(n, t) => format!("(replicate ({n}) {})", t.plain()?),
            Ty::Tuple(ts) => {
                let ts: Option<Vec<String>> = ts.iter().map(Ty::plain).collect();
                format!("({})", ts?.join(", "))
            }
            Ty::Record(fs) => {
                let fs: Option<Vec<String>> =
                    fs.iter().map(|(f, t)| Some(format!("{f} = {}", t.plain()?))).collect();
                format!("{{{}}}", fs?.join(", "))
            }
            Ty::Sum(s) => {
                let (c, ts) = s.constructors.first()?;
                let ts: Option<Vec<String>> = ts.iter().map(Ty::plain).collect();
                format!("(#{c} {} : {})", ts?.join(" "), s.name)
            }
            Ty::Param(_) => return None,
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(s) => s.prim().fmt(f),
            Ty::Array(n, t) => write!(f, "[{n}]{t}"),
            Ty::Tuple(ts) => {
                let ts: Vec<String> = ts.iter().map(Ty::to_string).collect();
                write!(f, "({})", ts.join(", "))
            }
            Ty::Record(fs) => {
                let fs: Vec<String> = fs.iter().map(|(n, t)| format!("{n}: {t}")).collect();
                write!(f, "{{{}}}", fs.join(", "))
            }
            Ty::Sum(s) => f.write_str(&s.name),
            Ty::Param(n) => f.write_str(n),
        }
    }
}
