-- | The floating-point modules.
--
-- The operators come last in each module: behind them `+` no longer means the built-in one.

local open import "/prelude/numeric"

-- | Floating-point numbers of double precision: IEEE 754 binary64.
module f64 : (float with t = f64 with int_t = u64) = {
  type t = f64
  type int_t = u64

  def i8 (x: i8) : t = intrinsics.i8_to_f64 x
  def i16 (x: i16) : t = intrinsics.i16_to_f64 x
  def i32 (x: i32) : t = intrinsics.i32_to_f64 x
  def i64 (x: i64) : t = intrinsics.i64_to_f64 x
  def u8 (x: u8) : t = intrinsics.u8_to_f64 x
  def u16 (x: u16) : t = intrinsics.u16_to_f64 x
  def u32 (x: u32) : t = intrinsics.u32_to_f64 x
  def u64 (x: u64) : t = intrinsics.u64_to_f64 x
  def f16 (x: f16) : t = intrinsics.f16_to_f64 x
  def f32 (x: f32) : t = intrinsics.f32_to_f64 x
  def f64 (x: f64) : t = x
  def bool (x: bool) : t = intrinsics.bool_to_f64 x

  def to_i64 (x: t) : i64 = intrinsics.f64_to_i64 x
  def to_f64 (x: t) : f64 = x
  def from_fraction (x: i64) (y: i64) : t = i64 x / i64 y
  def to_bits (x: t) : int_t = intrinsics.f64_to_bits x
  def from_bits (x: int_t) : t = intrinsics.f64_from_bits x

  def inf : t = 1 / 0
  def nan : t = 0 / 0
  def highest : t = inf
  def lowest : t = -inf
  def epsilon : t = 2.220446049250313e-16
  def pi : t = 3.141592653589793
  def e : t = 2.718281828459045
  def num_bits : i32 = 64

  def neg (x: t) : t = -x
  def recip (x: t) : t = 1 / x
  def abs (x: t) : t = intrinsics.f64_abs x
  def sgn (x: t) : t = intrinsics.f64_sgn x
  def max (x: t) (y: t) : t = intrinsics.f64_max x y
  def min (x: t) (y: t) : t = intrinsics.f64_min x y
  def isinf (x: t) : bool = intrinsics.f64_isinf x
  def isnan (x: t) : bool = intrinsics.f64_isnan x

  def sqrt (x: t) : t = intrinsics.f64_sqrt x
  def rsqrt (x: t) : t = intrinsics.f64_rsqrt x
  def cbrt (x: t) : t = intrinsics.f64_cbrt x
  def exp (x: t) : t = intrinsics.f64_exp x
  def log (x: t) : t = intrinsics.f64_log x
  def log2 (x: t) : t = intrinsics.f64_log2 x
  def log10 (x: t) : t = intrinsics.f64_log10 x
  def log1p (x: t) : t = intrinsics.f64_log1p x
  def sin (x: t) : t = intrinsics.f64_sin x
  def cos (x: t) : t = intrinsics.f64_cos x
  def tan (x: t) : t = intrinsics.f64_tan x
  def sinpi (x: t) : t = intrinsics.f64_sinpi x
  def cospi (x: t) : t = intrinsics.f64_cospi x
  def tanpi (x: t) : t = intrinsics.f64_tanpi x
  def asin (x: t) : t = intrinsics.f64_asin x
  def acos (x: t) : t = intrinsics.f64_acos x
  def atan (x: t) : t = intrinsics.f64_atan x
  def asinpi (x: t) : t = intrinsics.f64_asinpi x
  def acospi (x: t) : t = intrinsics.f64_acospi x
  def atanpi (x: t) : t = intrinsics.f64_atanpi x
  def sinh (x: t) : t = intrinsics.f64_sinh x
  def cosh (x: t) : t = intrinsics.f64_cosh x
  def tanh (x: t) : t = intrinsics.f64_tanh x
  def asinh (x: t) : t = intrinsics.f64_asinh x
  def acosh (x: t) : t = intrinsics.f64_acosh x
  def atanh (x: t) : t = intrinsics.f64_atanh x
  def gamma (x: t) : t = intrinsics.f64_gamma x
  def lgamma (x: t) : t = intrinsics.f64_lgamma x
  def erf (x: t) : t = intrinsics.f64_erf x
  def erfc (x: t) : t = intrinsics.f64_erfc x
  def ceil (x: t) : t = intrinsics.f64_ceil x
  def floor (x: t) : t = intrinsics.f64_floor x
  def trunc (x: t) : t = intrinsics.f64_trunc x
  def round (x: t) : t = intrinsics.f64_round x
  def atan2 (x: t) (y: t) : t = intrinsics.f64_atan2 x y
  def atan2pi (x: t) (y: t) : t = intrinsics.f64_atan2pi x y
  def hypot (x: t) (y: t) : t = intrinsics.f64_hypot x y
  def nextafter (x: t) (y: t) : t = intrinsics.f64_nextafter x y
  def copysign (x: t) (y: t) : t = intrinsics.f64_copysign x y
  def lerp (a: t) (b: t) (c: t) : t = intrinsics.f64_lerp a b c
  def mad (a: t) (b: t) (c: t) : t = intrinsics.f64_mad a b c
  def fma (a: t) (b: t) (c: t) : t = intrinsics.f64_fma a b c
  def ldexp (x: t) (exponent: i32) : t = intrinsics.f64_ldexp x exponent

  def get_bit (bit: i32) (x: t) : i32 =
    intrinsics.u64_to_i32 ((to_bits x >> intrinsics.i32_to_u64 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    let at = intrinsics.i32_to_u64 bit
    in from_bits ((to_bits x & !(1 << at)) | ((intrinsics.i32_to_u64 value & 1) << at))

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm (\x y -> x + y) 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm (\x y -> x * y) 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm max lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm min highest xs

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Floating-point numbers of single precision: IEEE 754 binary32.
module f32 : (float with t = f32 with int_t = u32) = {
  type t = f32
  type int_t = u32

  def i8 (x: i8) : t = intrinsics.i8_to_f32 x
  def i16 (x: i16) : t = intrinsics.i16_to_f32 x
  def i32 (x: i32) : t = intrinsics.i32_to_f32 x
  def i64 (x: i64) : t = intrinsics.i64_to_f32 x
  def u8 (x: u8) : t = intrinsics.u8_to_f32 x
  def u16 (x: u16) : t = intrinsics.u16_to_f32 x
  def u32 (x: u32) : t = intrinsics.u32_to_f32 x
  def u64 (x: u64) : t = intrinsics.u64_to_f32 x
  def f16 (x: f16) : t = intrinsics.f16_to_f32 x
  def f32 (x: f32) : t = x
  def f64 (x: f64) : t = intrinsics.f64_to_f32 x
  def bool (x: bool) : t = intrinsics.bool_to_f32 x

  def to_i64 (x: t) : i64 = intrinsics.f32_to_i64 x
  def to_f64 (x: t) : f64 = intrinsics.f32_to_f64 x
  def from_fraction (x: i64) (y: i64) : t = i64 x / i64 y
  def to_bits (x: t) : int_t = intrinsics.f32_to_bits x
  def from_bits (x: int_t) : t = intrinsics.f32_from_bits x

  def inf : t = 1 / 0
  def nan : t = 0 / 0
  def highest : t = inf
  def lowest : t = -inf
  def epsilon : t = 1.1920928955078125e-7
  def pi : t = 3.141592653589793
  def e : t = 2.718281828459045
  def num_bits : i32 = 32

  def neg (x: t) : t = -x
  def recip (x: t) : t = 1 / x
  def abs (x: t) : t = intrinsics.f32_abs x
  def sgn (x: t) : t = intrinsics.f32_sgn x
  def max (x: t) (y: t) : t = intrinsics.f32_max x y
  def min (x: t) (y: t) : t = intrinsics.f32_min x y
  def isinf (x: t) : bool = intrinsics.f32_isinf x
  def isnan (x: t) : bool = intrinsics.f32_isnan x

  def sqrt (x: t) : t = intrinsics.f32_sqrt x
  def rsqrt (x: t) : t = intrinsics.f32_rsqrt x
  def cbrt (x: t) : t = intrinsics.f32_cbrt x
  def exp (x: t) : t = intrinsics.f32_exp x
  def log (x: t) : t = intrinsics.f32_log x
  def log2 (x: t) : t = intrinsics.f32_log2 x
  def log10 (x: t) : t = intrinsics.f32_log10 x
  def log1p (x: t) : t = intrinsics.f32_log1p x
  def sin (x: t) : t = intrinsics.f32_sin x
  def cos (x: t) : t = intrinsics.f32_cos x
  def tan (x: t) : t = intrinsics.f32_tan x
  def sinpi (x: t) : t = intrinsics.f32_sinpi x
  def cospi (x: t) : t = intrinsics.f32_cospi x
  def tanpi (x: t) : t = intrinsics.f32_tanpi x
  def asin (x: t) : t = intrinsics.f32_asin x
  def acos (x: t) : t = intrinsics.f32_acos x
  def atan (x: t) : t = intrinsics.f32_atan x
  def asinpi (x: t) : t = intrinsics.f32_asinpi x
  def acospi (x: t) : t = intrinsics.f32_acospi x
  def atanpi (x: t) : t = intrinsics.f32_atanpi x
  def sinh (x: t) : t = intrinsics.f32_sinh x
  def cosh (x: t) : t = intrinsics.f32_cosh x
  def tanh (x: t) : t = intrinsics.f32_tanh x
  def asinh (x: t) : t = intrinsics.f32_asinh x
  def acosh (x: t) : t = intrinsics.f32_acosh x
  def atanh (x: t) : t = intrinsics.f32_atanh x
  def gamma (x: t) : t = intrinsics.f32_gamma x
  def lgamma (x: t) : t = intrinsics.f32_lgamma x
  def erf (x: t) : t = intrinsics.f32_erf x
  def erfc (x: t) : t = intrinsics.f32_erfc x
  def ceil (x: t) : t = intrinsics.f32_ceil x
  def floor (x: t) : t = intrinsics.f32_floor x
  def trunc (x: t) : t = intrinsics.f32_trunc x
  def round (x: t) : t = intrinsics.f32_round x
  def atan2 (x: t) (y: t) : t = intrinsics.f32_atan2 x y
  def atan2pi (x: t) (y: t) : t = intrinsics.f32_atan2pi x y
  def hypot (x: t) (y: t) : t = intrinsics.f32_hypot x y
  def nextafter (x: t) (y: t) : t = intrinsics.f32_nextafter x y
  def copysign (x: t) (y: t) : t = intrinsics.f32_copysign x y
  def lerp (a: t) (b: t) (c: t) : t = intrinsics.f32_lerp a b c
  def mad (a: t) (b: t) (c: t) : t = intrinsics.f32_mad a b c
  def fma (a: t) (b: t) (c: t) : t = intrinsics.f32_fma a b c
  def ldexp (x: t) (exponent: i32) : t = intrinsics.f32_ldexp x exponent

  def get_bit (bit: i32) (x: t) : i32 =
    intrinsics.u32_to_i32 ((to_bits x >> intrinsics.i32_to_u32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    let at = intrinsics.i32_to_u32 bit
    in from_bits ((to_bits x & !(1 << at)) | ((intrinsics.i32_to_u32 value & 1) << at))

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm (\x y -> x + y) 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm (\x y -> x * y) 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm max lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm min highest xs

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Floating-point numbers of half precision: IEEE 754 binary16.
module f16 : (float with t = f16 with int_t = u16) = {
  type t = f16
  type int_t = u16

  def i8 (x: i8) : t = intrinsics.i8_to_f16 x
  def i16 (x: i16) : t = intrinsics.i16_to_f16 x
  def i32 (x: i32) : t = intrinsics.i32_to_f16 x
  def i64 (x: i64) : t = intrinsics.i64_to_f16 x
  def u8 (x: u8) : t = intrinsics.u8_to_f16 x
  def u16 (x: u16) : t = intrinsics.u16_to_f16 x
  def u32 (x: u32) : t = intrinsics.u32_to_f16 x
  def u64 (x: u64) : t = intrinsics.u64_to_f16 x
  def f16 (x: f16) : t = x
  def f32 (x: f32) : t = intrinsics.f32_to_f16 x
  def f64 (x: f64) : t = intrinsics.f64_to_f16 x
  def bool (x: bool) : t = intrinsics.bool_to_f16 x

  def to_i64 (x: t) : i64 = intrinsics.f16_to_i64 x
  def to_f64 (x: t) : f64 = intrinsics.f16_to_f64 x
  def from_fraction (x: i64) (y: i64) : t = i64 x / i64 y
  def to_bits (x: t) : int_t = intrinsics.f16_to_bits x
  def from_bits (x: int_t) : t = intrinsics.f16_from_bits x

  def inf : t = 1 / 0
  def nan : t = 0 / 0
  def highest : t = inf
  def lowest : t = -inf
  def epsilon : t = 9.765625e-4
  def pi : t = 3.141592653589793
  def e : t = 2.718281828459045
  def num_bits : i32 = 16

  def neg (x: t) : t = -x
  def recip (x: t) : t = 1 / x
  def abs (x: t) : t = intrinsics.f16_abs x
  def sgn (x: t) : t = intrinsics.f16_sgn x
  def max (x: t) (y: t) : t = intrinsics.f16_max x y
  def min (x: t) (y: t) : t = intrinsics.f16_min x y
  def isinf (x: t) : bool = intrinsics.f16_isinf x
  def isnan (x: t) : bool = intrinsics.f16_isnan x

  def sqrt (x: t) : t = intrinsics.f16_sqrt x
  def rsqrt (x: t) : t = intrinsics.f16_rsqrt x
  def cbrt (x: t) : t = intrinsics.f16_cbrt x
  def exp (x: t) : t = intrinsics.f16_exp x
  def log (x: t) : t = intrinsics.f16_log x
  def log2 (x: t) : t = intrinsics.f16_log2 x
  def log10 (x: t) : t = intrinsics.f16_log10 x
  def log1p (x: t) : t = intrinsics.f16_log1p x
  def sin (x: t) : t = intrinsics.f16_sin x
  def cos (x: t) : t = intrinsics.f16_cos x
  def tan (x: t) : t = intrinsics.f16_tan x
  def sinpi (x: t) : t = intrinsics.f16_sinpi x
  def cospi (x: t) : t = intrinsics.f16_cospi x
  def tanpi (x: t) : t = intrinsics.f16_tanpi x
  def asin (x: t) : t = intrinsics.f16_asin x
  def acos (x: t) : t = intrinsics.f16_acos x
  def atan (x: t) : t = intrinsics.f16_atan x
  def asinpi (x: t) : t = intrinsics.f16_asinpi x
  def acospi (x: t) : t = intrinsics.f16_acospi x
  def atanpi (x: t) : t = intrinsics.f16_atanpi x
  def sinh (x: t) : t = intrinsics.f16_sinh x
  def cosh (x: t) : t = intrinsics.f16_cosh x
  def tanh (x: t) : t = intrinsics.f16_tanh x
  def asinh (x: t) : t = intrinsics.f16_asinh x
  def acosh (x: t) : t = intrinsics.f16_acosh x
  def atanh (x: t) : t = intrinsics.f16_atanh x
  def gamma (x: t) : t = intrinsics.f16_gamma x
  def lgamma (x: t) : t = intrinsics.f16_lgamma x
  def erf (x: t) : t = intrinsics.f16_erf x
  def erfc (x: t) : t = intrinsics.f16_erfc x
  def ceil (x: t) : t = intrinsics.f16_ceil x
  def floor (x: t) : t = intrinsics.f16_floor x
  def trunc (x: t) : t = intrinsics.f16_trunc x
  def round (x: t) : t = intrinsics.f16_round x
  def atan2 (x: t) (y: t) : t = intrinsics.f16_atan2 x y
  def atan2pi (x: t) (y: t) : t = intrinsics.f16_atan2pi x y
  def hypot (x: t) (y: t) : t = intrinsics.f16_hypot x y
  def nextafter (x: t) (y: t) : t = intrinsics.f16_nextafter x y
  def copysign (x: t) (y: t) : t = intrinsics.f16_copysign x y
  def lerp (a: t) (b: t) (c: t) : t = intrinsics.f16_lerp a b c
  def mad (a: t) (b: t) (c: t) : t = intrinsics.f16_mad a b c
  def fma (a: t) (b: t) (c: t) : t = intrinsics.f16_fma a b c
  def ldexp (x: t) (exponent: i32) : t = intrinsics.f16_ldexp x exponent

  def get_bit (bit: i32) (x: t) : i32 =
    intrinsics.u16_to_i32 ((to_bits x >> intrinsics.i32_to_u16 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    let at = intrinsics.i32_to_u16 bit
    in from_bits ((to_bits x & !(1 << at)) | ((intrinsics.i32_to_u16 value & 1) << at))

  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm (\x y -> x + y) 0 xs
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm (\x y -> x * y) 1 xs
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm max lowest xs
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm min highest xs

  def (+) (x: t) (y: t) : t = x intrinsics.+ y
  def (-) (x: t) (y: t) : t = x intrinsics.- y
  def (*) (x: t) (y: t) : t = x intrinsics.* y
  def (/) (x: t) (y: t) : t = x intrinsics./ y
  def (%) (x: t) (y: t) : t = x intrinsics.% y
  def (**) (x: t) (y: t) : t = x intrinsics.** y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}
