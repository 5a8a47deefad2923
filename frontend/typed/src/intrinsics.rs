//! The intrinsics: what the prelude is written over, and what the mid-end must know by name.
//!
//! A program reaches them as `intrinsics.NAME`. Three families:
//!
//! 1. operators at a primitive type: named by the operator, with the type as the only type
//!    argument, as in `Intrinsic("+", [i32])` ([`OPERATORS`]);
//! 2. scalar functions and conversions, one per type: `f32_sin`, `i8_popc`, `sext_i32_i64`-like
//!    conversions are `FROM_to_TO` as in `i32_to_f64` ([`SCALARS`], [`conversion`]);
//! 3. array functions with polymorphic types ([`ARRAYS`]).

use crate::prim::PrimType;

/// Which primitive types an operator is defined at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// Integers.
    Int,
    /// Integers and floats.
    Num,
    /// Integers and `bool`.
    IntBool,
    /// Every primitive type.
    Prim,
    /// Every type without functions: equality.
    Any,
}

impl Over {
    /// Whether `t` is among them.
    pub fn has(self, t: PrimType) -> bool {
        match self {
            Over::Int => t.is_int(),
            Over::Num => t.is_int() || t.is_float(),
            Over::IntBool => t.is_int() || t == PrimType::Bool,
            Over::Prim | Over::Any => true,
        }
    }
}

/// Binary operators `t -> t -> t`, or `t -> t -> bool` where the last component says so.
/// `&&` and `||` are not functions but [`crate::program::ExpKind::And`] and `Or`.
pub const OPERATORS: &[(&str, Over, bool)] = &[
    ("+", Over::Num, false),
    ("-", Over::Num, false),
    ("*", Over::Num, false),
    ("/", Over::Num, false),
    ("%", Over::Num, false),
    ("//", Over::Int, false),
    ("%%", Over::Int, false),
    ("**", Over::Num, false),
    ("<<", Over::Int, false),
    (">>", Over::Int, false),
    (">>>", Over::Int, false),
    ("&", Over::Int, false),
    ("|", Over::Int, false),
    ("^", Over::Int, false),
    ("==", Over::Any, true),
    ("!=", Over::Any, true),
    ("<", Over::Prim, true),
    ("<=", Over::Prim, true),
    (">", Over::Prim, true),
    (">=", Over::Prim, true),
];

/// Unary operators `t -> t`: `!` is also the complement of integers, `neg` is prefix minus.
pub const UNARY: &[(&str, Over)] = &[("!", Over::IntBool), ("neg", Over::Num)];

/// Scalar functions: for each primitive type `t` of the class there is `t_NAME` of the type
/// given, where `t` is the type itself, `b` the unsigned integer of the same width.
pub const SCALARS: &[(&str, Over, &str)] = &[
    ("abs", Over::Num, "t -> t"),
    ("sgn", Over::Num, "t -> t"),
    ("min", Over::Prim, "t -> t -> t"),
    ("max", Over::Prim, "t -> t -> t"),
    ("popc", Over::Int, "t -> i32"),
    ("clz", Over::Int, "t -> i32"),
    ("ctz", Over::Int, "t -> i32"),
    ("mul_hi", Over::Int, "t -> t -> t"),
    ("mad_hi", Over::Int, "t -> t -> t -> t"),
];

/// Scalar functions of floats, as [`SCALARS`].
pub const FLOAT_SCALARS: &[(&str, &str)] = &[
    ("sqrt", "t -> t"),
    ("rsqrt", "t -> t"),
    ("cbrt", "t -> t"),
    ("exp", "t -> t"),
    ("log", "t -> t"),
    ("log2", "t -> t"),
    ("log10", "t -> t"),
    ("log1p", "t -> t"),
    ("sin", "t -> t"),
    ("cos", "t -> t"),
    ("tan", "t -> t"),
    ("sinpi", "t -> t"),
    ("cospi", "t -> t"),
    ("tanpi", "t -> t"),
    ("asin", "t -> t"),
    ("acos", "t -> t"),
    ("atan", "t -> t"),
    ("asinpi", "t -> t"),
    ("acospi", "t -> t"),
    ("atanpi", "t -> t"),
    ("sinh", "t -> t"),
    ("cosh", "t -> t"),
    ("tanh", "t -> t"),
    ("asinh", "t -> t"),
    ("acosh", "t -> t"),
    ("atanh", "t -> t"),
    ("atan2", "t -> t -> t"),
    ("atan2pi", "t -> t -> t"),
    ("hypot", "t -> t -> t"),
    ("gamma", "t -> t"),
    ("lgamma", "t -> t"),
    ("erf", "t -> t"),
    ("erfc", "t -> t"),
    ("ceil", "t -> t"),
    ("floor", "t -> t"),
    ("trunc", "t -> t"),
    ("round", "t -> t"),
    ("lerp", "t -> t -> t -> t"),
    ("mad", "t -> t -> t -> t"),
    ("fma", "t -> t -> t -> t"),
    ("nextafter", "t -> t -> t"),
    ("ldexp", "t -> i32 -> t"),
    ("copysign", "t -> t -> t"),
    ("isnan", "t -> bool"),
    ("isinf", "t -> bool"),
    ("to_bits", "t -> b"),
    ("from_bits", "b -> t"),
];

/// The name of the conversion between two primitive types; there is one for every pair.
pub fn conversion(from: PrimType, to: PrimType) -> String {
    format!("{from}_to_{to}")
}

/// Array functions, with their types in source syntax. `*` is uniqueness as in the guide.
/// `zip` and `unzip` cost nothing, arrays of tuples being tuples of arrays.
pub const ARRAYS: &[(&str, &str)] = &[
    ("map", "'a 'b [n] : (a -> b) -> [n]a -> *[n]b"),
    ("reduce", "'a [n] : (a -> a -> a) -> a -> [n]a -> a"),
    ("reduce_comm", "'a [n] : (a -> a -> a) -> a -> [n]a -> a"),
    ("scan", "'a [n] : (a -> a -> a) -> a -> [n]a -> *[n]a"),
    ("hist_1d", "'a [k] [n] : *[k]a -> (a -> a -> a) -> a -> [n]i64 -> [n]a -> *[k]a"),
    (
        "hist_2d",
        "'a [k] [l] [n] : *[k][l]a -> (a -> a -> a) -> a -> [n](i64, i64) -> [n]a -> *[k][l]a",
    ),
    (
        "hist_3d",
        "'a [k] [l] [m] [n] : *[k][l][m]a -> (a -> a -> a) -> a -> [n](i64, i64, i64) -> [n]a -> *[k][l][m]a",
    ),
    ("scatter_1d", "'a [k] [n] : *[k]a -> [n]i64 -> [n]a -> *[k]a"),
    ("scatter_2d", "'a [k] [l] [n] : *[k][l]a -> [n](i64, i64) -> [n]a -> *[k][l]a"),
    ("scatter_3d", "'a [k] [l] [m] [n] : *[k][l][m]a -> [n](i64, i64, i64) -> [n]a -> *[k][l][m]a"),
    ("zip", "'a 'b [n] : [n]a -> [n]b -> [n](a, b)"),
    ("unzip", "'a 'b [n] : [n](a, b) -> ([n]a, [n]b)"),
    ("length", "'a [n] : [n]a -> i64"),
    ("replicate", "'a : (n: i64) -> a -> *[n]a"),
    ("iota", ": (n: i64) -> *[n]i64"),
    ("concat", "'a [n] [m] : [n]a -> [m]a -> *[n + m]a"),
    ("flatten", "'a [n] [m] : [n][m]a -> [n * m]a"),
    ("unflatten", "'a [n] [m] : [n * m]a -> [n][m]a"),
    ("transpose", "'a [n] [m] : [n][m]a -> [m][n]a"),
    ("copy", "'a : a -> *a"),
    ("manifest", "'a : a -> *a"),
    ("opaque", "'a : a -> a"),
    ("trace", "'a : a -> a"),
    ("break", "'a : a -> a"),
    // A one-dimensional view of memory: offset, then (size, stride) per dimension.
    (
        "flat_index_2d",
        "'a [k] : [k]a -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64) -> [n1][n2]a",
    ),
    (
        "flat_update_2d",
        "'a [k] [n1] [n2] : *[k]a -> (offset: i64) -> (s1: i64) -> (s2: i64) -> [n1][n2]a -> *[k]a",
    ),
    (
        "flat_index_3d",
        "'a [k] : [k]a -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64) -> (n3: i64) -> (s3: i64) -> [n1][n2][n3]a",
    ),
    (
        "flat_update_3d",
        "'a [k] [n1] [n2] [n3] : *[k]a -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (s3: i64) -> [n1][n2][n3]a -> *[k]a",
    ),
    (
        "flat_index_4d",
        "'a [k] : [k]a -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64) -> (n3: i64) -> (s3: i64) -> (n4: i64) -> (s4: i64) -> [n1][n2][n3][n4]a",
    ),
    (
        "flat_update_4d",
        "'a [k] [n1] [n2] [n3] [n4] : *[k]a -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (s3: i64) -> (s4: i64) -> [n1][n2][n3][n4]a -> *[k]a",
    ),
];
