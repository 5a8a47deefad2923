-- | The integer modules.
--
-- The operators come last in each module: behind them `+` no longer means the built-in one.

local open import "/prelude/numeric"

-- | Signed integers of 8 bits.
module i8 : (integral with t = i8) = {
  type t = i8

  def i8 (x: i8) : t = x
  def i16 (x: i16) : t = intrinsics.i16_to_i8 x
  def i32 (x: i32) : t = intrinsics.i32_to_i8 x
  def i64 (x: i64) : t = intrinsics.i64_to_i8 x
  def u8 (x: u8) : t = intrinsics.u8_to_i8 x
  def u16 (x: u16) : t = intrinsics.u16_to_i8 x
  def u32 (x: u32) : t = intrinsics.u32_to_i8 x
  def u64 (x: u64) : t = intrinsics.u64_to_i8 x
  def f16 (x: f16) : t = intrinsics.f16_to_i8 x
  def f32 (x: f32) : t = intrinsics.f32_to_i8 x
  def f64 (x: f64) : t = intrinsics.f64_to_i8 x
  def bool (x: bool) : t = intrinsics.bool_to_i8 x

  def to_i64 (x: t) : i64 = intrinsics.i8_to_i64 x

  def num_bits : i32 = 8
  def lowest : t = 1 << 7
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.i8_abs x
  def sgn (x: t) : t = intrinsics.i8_sgn x
  def max (x: t) (y: t) : t = intrinsics.i8_max x y
  def min (x: t) (y: t) : t = intrinsics.i8_min x y

  def get_bit (bit: i32) (x: t) : i32 = intrinsics.i8_to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << i32 bit)) | ((i32 value & 1) << i32 bit)
  def popc (x: t) : i32 = intrinsics.i8_popc x
  def clz (x: t) : i32 = intrinsics.i8_clz x
  def ctz (x: t) : i32 = intrinsics.i8_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.i8_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.i8_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Signed integers of 16 bits.
module i16 : (integral with t = i16) = {
  type t = i16

  def i8 (x: i8) : t = intrinsics.i8_to_i16 x
  def i16 (x: i16) : t = x
  def i32 (x: i32) : t = intrinsics.i32_to_i16 x
  def i64 (x: i64) : t = intrinsics.i64_to_i16 x
  def u8 (x: u8) : t = intrinsics.u8_to_i16 x
  def u16 (x: u16) : t = intrinsics.u16_to_i16 x
  def u32 (x: u32) : t = intrinsics.u32_to_i16 x
  def u64 (x: u64) : t = intrinsics.u64_to_i16 x
  def f16 (x: f16) : t = intrinsics.f16_to_i16 x
  def f32 (x: f32) : t = intrinsics.f32_to_i16 x
  def f64 (x: f64) : t = intrinsics.f64_to_i16 x
  def bool (x: bool) : t = intrinsics.bool_to_i16 x

  def to_i64 (x: t) : i64 = intrinsics.i16_to_i64 x

  def num_bits : i32 = 16
  def lowest : t = 1 << 15
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.i16_abs x
  def sgn (x: t) : t = intrinsics.i16_sgn x
  def max (x: t) (y: t) : t = intrinsics.i16_max x y
  def min (x: t) (y: t) : t = intrinsics.i16_min x y

  def get_bit (bit: i32) (x: t) : i32 = intrinsics.i16_to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << i32 bit)) | ((i32 value & 1) << i32 bit)
  def popc (x: t) : i32 = intrinsics.i16_popc x
  def clz (x: t) : i32 = intrinsics.i16_clz x
  def ctz (x: t) : i32 = intrinsics.i16_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.i16_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.i16_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Signed integers of 32 bits.
module i32 : (integral with t = i32) = {
  type t = i32

  def i8 (x: i8) : t = intrinsics.i8_to_i32 x
  def i16 (x: i16) : t = intrinsics.i16_to_i32 x
  def i32 (x: i32) : t = x
  def i64 (x: i64) : t = intrinsics.i64_to_i32 x
  def u8 (x: u8) : t = intrinsics.u8_to_i32 x
  def u16 (x: u16) : t = intrinsics.u16_to_i32 x
  def u32 (x: u32) : t = intrinsics.u32_to_i32 x
  def u64 (x: u64) : t = intrinsics.u64_to_i32 x
  def f16 (x: f16) : t = intrinsics.f16_to_i32 x
  def f32 (x: f32) : t = intrinsics.f32_to_i32 x
  def f64 (x: f64) : t = intrinsics.f64_to_i32 x
  def bool (x: bool) : t = intrinsics.bool_to_i32 x

  def to_i64 (x: t) : i64 = intrinsics.i32_to_i64 x

  def num_bits : i32 = 32
  def lowest : t = 1 << 31
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.i32_abs x
  def sgn (x: t) : t = intrinsics.i32_sgn x
  def max (x: t) (y: t) : t = intrinsics.i32_max x y
  def min (x: t) (y: t) : t = intrinsics.i32_min x y

  def get_bit (bit: i32) (x: t) : i32 = (x >> bit) & 1
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << bit)) | ((value & 1) << bit)
  def popc (x: t) : i32 = intrinsics.i32_popc x
  def clz (x: t) : i32 = intrinsics.i32_clz x
  def ctz (x: t) : i32 = intrinsics.i32_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.i32_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.i32_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Signed integers of 64 bits.
module i64 : (integral with t = i64) = {
  type t = i64

  def i8 (x: i8) : t = intrinsics.i8_to_i64 x
  def i16 (x: i16) : t = intrinsics.i16_to_i64 x
  def i32 (x: i32) : t = intrinsics.i32_to_i64 x
  def i64 (x: i64) : t = x
  def u8 (x: u8) : t = intrinsics.u8_to_i64 x
  def u16 (x: u16) : t = intrinsics.u16_to_i64 x
  def u32 (x: u32) : t = intrinsics.u32_to_i64 x
  def u64 (x: u64) : t = intrinsics.u64_to_i64 x
  def f16 (x: f16) : t = intrinsics.f16_to_i64 x
  def f32 (x: f32) : t = intrinsics.f32_to_i64 x
  def f64 (x: f64) : t = intrinsics.f64_to_i64 x
  def bool (x: bool) : t = intrinsics.bool_to_i64 x

  def to_i64 (x: t) : i64 = x

  def num_bits : i32 = 64
  def lowest : t = 1 << 63
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.i64_abs x
  def sgn (x: t) : t = intrinsics.i64_sgn x
  def max (x: t) (y: t) : t = intrinsics.i64_max x y
  def min (x: t) (y: t) : t = intrinsics.i64_min x y

  def get_bit (bit: i32) (x: t) : i32 = intrinsics.i64_to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << i32 bit)) | ((i32 value & 1) << i32 bit)
  def popc (x: t) : i32 = intrinsics.i64_popc x
  def clz (x: t) : i32 = intrinsics.i64_clz x
  def ctz (x: t) : i32 = intrinsics.i64_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.i64_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.i64_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Unsigned integers of 8 bits.
module u8 : (integral with t = u8) = {
  type t = u8

  def i8 (x: i8) : t = intrinsics.i8_to_u8 x
  def i16 (x: i16) : t = intrinsics.i16_to_u8 x
  def i32 (x: i32) : t = intrinsics.i32_to_u8 x
  def i64 (x: i64) : t = intrinsics.i64_to_u8 x
  def u8 (x: u8) : t = x
  def u16 (x: u16) : t = intrinsics.u16_to_u8 x
  def u32 (x: u32) : t = intrinsics.u32_to_u8 x
  def u64 (x: u64) : t = intrinsics.u64_to_u8 x
  def f16 (x: f16) : t = intrinsics.f16_to_u8 x
  def f32 (x: f32) : t = intrinsics.f32_to_u8 x
  def f64 (x: f64) : t = intrinsics.f64_to_u8 x
  def bool (x: bool) : t = intrinsics.bool_to_u8 x

  def to_i64 (x: t) : i64 = intrinsics.u8_to_i64 x

  def num_bits : i32 = 8
  def lowest : t = 0
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.u8_abs x
  def sgn (x: t) : t = intrinsics.u8_sgn x
  def max (x: t) (y: t) : t = intrinsics.u8_max x y
  def min (x: t) (y: t) : t = intrinsics.u8_min x y

  def get_bit (bit: i32) (x: t) : i32 = intrinsics.u8_to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << i32 bit)) | ((i32 value & 1) << i32 bit)
  def popc (x: t) : i32 = intrinsics.u8_popc x
  def clz (x: t) : i32 = intrinsics.u8_clz x
  def ctz (x: t) : i32 = intrinsics.u8_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.u8_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.u8_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Unsigned integers of 16 bits.
module u16 : (integral with t = u16) = {
  type t = u16

  def i8 (x: i8) : t = intrinsics.i8_to_u16 x
  def i16 (x: i16) : t = intrinsics.i16_to_u16 x
  def i32 (x: i32) : t = intrinsics.i32_to_u16 x
  def i64 (x: i64) : t = intrinsics.i64_to_u16 x
  def u8 (x: u8) : t = intrinsics.u8_to_u16 x
  def u16 (x: u16) : t = x
  def u32 (x: u32) : t = intrinsics.u32_to_u16 x
  def u64 (x: u64) : t = intrinsics.u64_to_u16 x
  def f16 (x: f16) : t = intrinsics.f16_to_u16 x
  def f32 (x: f32) : t = intrinsics.f32_to_u16 x
  def f64 (x: f64) : t = intrinsics.f64_to_u16 x
  def bool (x: bool) : t = intrinsics.bool_to_u16 x

  def to_i64 (x: t) : i64 = intrinsics.u16_to_i64 x

  def num_bits : i32 = 16
  def lowest : t = 0
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.u16_abs x
  def sgn (x: t) : t = intrinsics.u16_sgn x
  def max (x: t) (y: t) : t = intrinsics.u16_max x y
  def min (x: t) (y: t) : t = intrinsics.u16_min x y

  def get_bit (bit: i32) (x: t) : i32 = intrinsics.u16_to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << i32 bit)) | ((i32 value & 1) << i32 bit)
  def popc (x: t) : i32 = intrinsics.u16_popc x
  def clz (x: t) : i32 = intrinsics.u16_clz x
  def ctz (x: t) : i32 = intrinsics.u16_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.u16_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.u16_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Unsigned integers of 32 bits.
module u32 : (integral with t = u32) = {
  type t = u32

  def i8 (x: i8) : t = intrinsics.i8_to_u32 x
  def i16 (x: i16) : t = intrinsics.i16_to_u32 x
  def i32 (x: i32) : t = intrinsics.i32_to_u32 x
  def i64 (x: i64) : t = intrinsics.i64_to_u32 x
  def u8 (x: u8) : t = intrinsics.u8_to_u32 x
  def u16 (x: u16) : t = intrinsics.u16_to_u32 x
  def u32 (x: u32) : t = x
  def u64 (x: u64) : t = intrinsics.u64_to_u32 x
  def f16 (x: f16) : t = intrinsics.f16_to_u32 x
  def f32 (x: f32) : t = intrinsics.f32_to_u32 x
  def f64 (x: f64) : t = intrinsics.f64_to_u32 x
  def bool (x: bool) : t = intrinsics.bool_to_u32 x

  def to_i64 (x: t) : i64 = intrinsics.u32_to_i64 x

  def num_bits : i32 = 32
  def lowest : t = 0
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.u32_abs x
  def sgn (x: t) : t = intrinsics.u32_sgn x
  def max (x: t) (y: t) : t = intrinsics.u32_max x y
  def min (x: t) (y: t) : t = intrinsics.u32_min x y

  def get_bit (bit: i32) (x: t) : i32 = intrinsics.u32_to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << i32 bit)) | ((i32 value & 1) << i32 bit)
  def popc (x: t) : i32 = intrinsics.u32_popc x
  def clz (x: t) : i32 = intrinsics.u32_clz x
  def ctz (x: t) : i32 = intrinsics.u32_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.u32_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.u32_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}

-- | Unsigned integers of 64 bits.
module u64 : (integral with t = u64) = {
  type t = u64

  def i8 (x: i8) : t = intrinsics.i8_to_u64 x
  def i16 (x: i16) : t = intrinsics.i16_to_u64 x
  def i32 (x: i32) : t = intrinsics.i32_to_u64 x
  def i64 (x: i64) : t = intrinsics.i64_to_u64 x
  def u8 (x: u8) : t = intrinsics.u8_to_u64 x
  def u16 (x: u16) : t = intrinsics.u16_to_u64 x
  def u32 (x: u32) : t = intrinsics.u32_to_u64 x
  def u64 (x: u64) : t = x
  def f16 (x: f16) : t = intrinsics.f16_to_u64 x
  def f32 (x: f32) : t = intrinsics.f32_to_u64 x
  def f64 (x: f64) : t = intrinsics.f64_to_u64 x
  def bool (x: bool) : t = intrinsics.bool_to_u64 x

  def to_i64 (x: t) : i64 = intrinsics.u64_to_i64 x

  def num_bits : i32 = 64
  def lowest : t = 0
  def highest : t = !lowest

  def neg (x: t) : t = -x
  def not (x: t) : t = !x
  def abs (x: t) : t = intrinsics.u64_abs x
  def sgn (x: t) : t = intrinsics.u64_sgn x
  def max (x: t) (y: t) : t = intrinsics.u64_max x y
  def min (x: t) (y: t) : t = intrinsics.u64_min x y

  def get_bit (bit: i32) (x: t) : i32 = intrinsics.u64_to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (value: i32) : t =
    (x & !(1 << i32 bit)) | ((i32 value & 1) << i32 bit)
  def popc (x: t) : i32 = intrinsics.u64_popc x
  def clz (x: t) : i32 = intrinsics.u64_clz x
  def ctz (x: t) : i32 = intrinsics.u64_ctz x
  def mul_hi (x: t) (y: t) : t = intrinsics.u64_mul_hi x y
  def mad_hi (a: t) (b: t) (c: t) : t = intrinsics.u64_mad_hi a b c

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
  def (//) (x: t) (y: t) : t = x intrinsics.// y
  def (%%) (x: t) (y: t) : t = x intrinsics.%% y
  def (&) (x: t) (y: t) : t = x intrinsics.& y
  def (|) (x: t) (y: t) : t = x intrinsics.| y
  def (^) (x: t) (y: t) : t = x intrinsics.^ y
  def (<<) (x: t) (y: t) : t = x intrinsics.<< y
  def (>>) (x: t) (y: t) : t = x intrinsics.>> y
  def (>>>) (x: t) (y: t) : t = x intrinsics.>>> y
  def (==) (x: t) (y: t) : bool = x intrinsics.== y
  def (!=) (x: t) (y: t) : bool = x intrinsics.!= y
  def (<) (x: t) (y: t) : bool = x intrinsics.< y
  def (<=) (x: t) (y: t) : bool = x intrinsics.<= y
  def (>) (x: t) (y: t) : bool = x intrinsics.> y
  def (>=) (x: t) (y: t) : bool = x intrinsics.>= y
}
