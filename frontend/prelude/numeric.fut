-- | Module types of numbers: what a parametric module can ask for.

-- | Types that values can be converted to from every primitive type.
module type from_prim = {
  type t

  val i8 : i8 -> t
  val i16 : i16 -> t
  val i32 : i32 -> t
  val i64 : i64 -> t
  val u8 : u8 -> t
  val u16 : u16 -> t
  val u32 : u32 -> t
  val u64 : u64 -> t
  val f16 : f16 -> t
  val f32 : f32 -> t
  val f64 : f64 -> t
  -- | 1 for true, 0 for false.
  val bool : bool -> t
}

-- | Numbers of any kind.
module type numeric = {
  include from_prim

  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t
  -- | Division; of integers, rounded towards negative infinity.
  val (/) : t -> t -> t
  -- | What remains of `/`; of integers, it has the sign of the divisor.
  val (%) : t -> t -> t
  -- | Power.
  val (**) : t -> t -> t

  -- | As an integer; floats are rounded towards zero.
  val to_i64 : t -> i64

  val (==) : t -> t -> bool
  val (<) : t -> t -> bool
  val (>) : t -> t -> bool
  val (<=) : t -> t -> bool
  val (>=) : t -> t -> bool
  val (!=) : t -> t -> bool

  -- | The number with the opposite sign.
  val neg : t -> t
  -- | The larger one; of floats, one that is not NaN if there is one.
  val max : t -> t -> t
  -- | The smaller one; of floats, one that is not NaN if there is one.
  val min : t -> t -> t
  -- | The number without its sign.
  val abs : t -> t
  -- | -1, 0 or 1, by the sign of the number.
  val sgn : t -> t

  -- | The largest number; of floats, infinity.
  val highest : t
  -- | The smallest number; of floats, negative infinity.
  val lowest : t

  -- | All elements added up. **Work:** *O(n)*  **Span:** *O(log n)*
  val sum [n] : [n]t -> t
  -- | All elements multiplied. **Work:** *O(n)*  **Span:** *O(log n)*
  val product [n] : [n]t -> t
  -- | The largest element, `lowest` if there are none. **Work:** *O(n)*  **Span:** *O(log n)*
  val maximum [n] : [n]t -> t
  -- | The smallest element, `highest` if there are none. **Work:** *O(n)*  **Span:** *O(log n)*
  val minimum [n] : [n]t -> t
}

-- | Integers in two's complement. Arithmetic wraps around.
module type integral = {
  include numeric

  -- | Division, rounded towards zero.
  val (//) : t -> t -> t
  -- | What remains of `//`; it has the sign of the dividend.
  val (%%) : t -> t -> t
  -- | Bitwise and.
  val (&) : t -> t -> t
  -- | Bitwise or.
  val (|) : t -> t -> t
  -- | Bitwise exclusive or.
  val (^) : t -> t -> t
  -- | Bitwise complement.
  val not : t -> t
  -- | Shift left, with zeros coming in.
  val (<<) : t -> t -> t
  -- | Shift right, with copies of the sign bit coming in; of unsigned types, zeros.
  val (>>) : t -> t -> t
  -- | Shift right, with zeros coming in.
  val (>>>) : t -> t -> t

  -- | How many bits a number has.
  val num_bits : i32
  -- | `get_bit i x` is bit `i` of `x`, counted from the least significant one.
  val get_bit : i32 -> t -> i32
  -- | `set_bit i x b` is `x` with bit `i` replaced by `b`, which is 0 or 1.
  val set_bit : i32 -> t -> i32 -> t
  -- | How many bits are one.
  val popc : t -> i32

  -- | The upper half of the product, which has twice as many bits.
  val mul_hi : (x: t) -> (y: t) -> t
  -- | `mul_hi a b + c`
  val mad_hi : (a: t) -> (b: t) -> (c: t) -> t

  -- | How many zeros there are before the most significant one; `num_bits` for zero.
  val clz : t -> i32
  -- | How many zeros there are behind the least significant one; `num_bits` for zero.
  val ctz : t -> i32
}

-- | Numbers that stand for real ones.
module type real = {
  include numeric

  -- | One divided by the number.
  val recip : t -> t
  -- | The first number divided by the second.
  val from_fraction : i64 -> i64 -> t
  -- | As an integer, rounded towards zero.
  val to_i64 : t -> i64
  -- | As a number of double precision.
  val to_f64 : t -> f64

  val sqrt : t -> t
  -- | One divided by the square root.
  val rsqrt : t -> t
  -- | The cubic root.
  val cbrt : t -> t
  -- | *e* to the power of the number.
  val exp : t -> t

  val sin : t -> t
  val cos : t -> t
  val tan : t -> t
  -- | The sine of pi times the number, without the error of multiplying by pi.
  val sinpi : t -> t
  -- | The cosine of pi times the number.
  val cospi : t -> t
  -- | The tangent of pi times the number.
  val tanpi : t -> t
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t
  -- | `asin` in units of pi.
  val asinpi : t -> t
  -- | `acos` in units of pi.
  val acospi : t -> t
  -- | `atan` in units of pi.
  val atanpi : t -> t
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t
  -- | `atan2 y x` is the angle between the first axis and the point (`x`, `y`).
  val atan2 : t -> t -> t
  -- | `atan2` in units of pi.
  val atan2pi : t -> t -> t

  -- | The length of the diagonal of a rectangle, without overflow on the way.
  val hypot : t -> t -> t
  -- | The gamma function.
  val gamma : t -> t
  -- | The logarithm of the magnitude of `gamma`.
  val lgamma : t -> t
  -- | The error function.
  val erf : t -> t
  -- | One minus the error function, exact where that is small.
  val erfc : t -> t
  -- | `lerp a b x` lies between `a` and `b` in proportion to `x`, from 0 to 1.
  val lerp : t -> t -> t -> t

  -- | The natural logarithm.
  val log : t -> t
  -- | The logarithm to base 2.
  val log2 : t -> t
  -- | The logarithm to base 10.
  val log10 : t -> t
  -- | The logarithm of one plus the number, exact where the number is small.
  val log1p : t -> t

  -- | Round up.
  val ceil : t -> t
  -- | Round down.
  val floor : t -> t
  -- | Round towards zero.
  val trunc : t -> t
  -- | Round to the nearest integer; halves to the even one.
  val round : t -> t

  -- | `a * b + c`, rounded once or twice, whichever is faster.
  val mad : (a: t) -> (b: t) -> (c: t) -> t
  -- | `a * b + c`, rounded once.
  val fma : (a: t) -> (b: t) -> (c: t) -> t

  val isinf : t -> bool
  val isnan : t -> bool
  val inf : t
  val nan : t
  val pi : t
  -- | The base of the natural logarithm.
  val e : t
}

-- | Floating-point numbers, whose bits can be seen.
module type float = {
  include real

  -- | The unsigned integers with as many bits.
  type int_t

  -- | The number with these bits.
  val from_bits : int_t -> t
  -- | The bits of the number.
  val to_bits : t -> int_t

  -- | How many bits a number has.
  val num_bits : i32
  -- | `get_bit i x` is bit `i` of `x`, counted from the least significant one.
  val get_bit : i32 -> t -> i32
  -- | `set_bit i x b` is `x` with bit `i` replaced by `b`, which is 0 or 1.
  val set_bit : i32 -> t -> i32 -> t

  -- | The distance from 1 to the next larger number.
  val epsilon : t
  -- | The number next to `x` on the way to `y`.
  val nextafter : (x: t) -> (y: t) -> t
  -- | `ldexp x n` is `x` times two to the power of `n`.
  val ldexp : t -> i32 -> t
  -- | The magnitude of `x` with the sign of `y`.
  val copysign : (x: t) -> (y: t) -> t
}
