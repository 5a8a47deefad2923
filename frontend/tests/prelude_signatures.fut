-- What the prelude must have: the signature of every definition, as programs know it. Bodies are
-- holes; a result type is left out where it is not part of the interface.

def map 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = ???
def map1 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = ???
def map2 'a 'b [n] 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b) : *[n]x = ???
def map3 'a 'b 'c [n] 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n]x = ???
def map4 'a 'b 'c 'd [n] 'x (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n]x = ???
def map5 'a 'b 'c 'd 'e [n] 'x (f: a -> b -> c -> d -> e -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : *[n]x = ???
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = ???
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = ???
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a) : *[k]a = ???
def reduce_by_index 'a [k] [n] (dest: *[k]a) (f: a -> a -> a) (ne: a) (is: [n]i64) (as: [n]a) : *[k]a = ???
def reduce_by_index_2d 'a [k] [n] [m] (dest: *[k][m]a) (f: a -> a -> a) (ne: a) (is: [n](i64, i64)) (as: [n]a) : *[k][m]a = ???
def reduce_by_index_3d 'a [k] [n] [m] [l] (dest: *[k][m][l]a) (f: a -> a -> a) (ne: a) (is: [n](i64, i64, i64)) (as: [n]a) : *[k][m][l]a = ???
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a = ???
def all [n] 'a (f: a -> bool) (as: [n]a) : bool = ???
def any [n] 'a (f: a -> bool) (as: [n]a) : bool = ???
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t = ???
def scatter 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t) : *[k]t = ???
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a = ???
def scatter_2d 't [k] [n] [l] (dest: *[k][n]t) (is: [l](i64, i64)) (vs: [l]t) : *[k][n]t = ???
def scatter_3d 't [k] [n] [o] [l] (dest: *[k][n][o]t) (is: [l](i64, i64, i64)) (vs: [l]t) : *[k][n][o]t = ???
def filter [n] 'a (p: a -> bool) (as: [n]a) : *[]a = ???
def partition [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) = ???
def partition2 [n] 'a (p1: a -> bool) (p2: a -> bool) (as: [n]a) : ?[k][l].([k]a, [l]a, [n - k - l]a) = ???
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a) : ?[m].( [n]i64 , [m]bool , [n]i64 , [m]b , [n]c ) = ???
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a) : ?[m].( [n]i64 , [m]bool , [n]i64 , [m]b ) = ???
def length [n] 't (_: [n]t) = ???
def null [n] 't (_: [n]t) = ???
def head [n] 't (x: [n]t) = ???
def last [n] 't (x: [n]t) = ???
def tail [n] 't (x: [n]t) : [n - 1]t = ???
def init [n] 't (x: [n]t) : [n - 1]t = ???
def take [n] 't (i: i64) (x: [n]t) : [i]t = ???
def drop [n] 't (i: i64) (x: [n]t) : [n - i]t = ???
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = ???
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) = ???
def reverse [n] 't (x: [n]t) : [n]t = ???
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = ???
def concat [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = ???
def iota (n: i64) : *[n]i64 = ???
def indices [n] 't (_: [n]t) : *[n]i64 = ???
def rotate [n] 't (r: i64) (a: [n]t) = ???
def replicate 't (n: i64) (x: t) : *[n]t = ???
def rep 't [n] (x: t) : *[n]t = ???
def copy 't (a: t) : *t = ???
def manifest 't (a: t) : *t = ???
def flatten [n] [m] 't (xs: [n][m]t) : [n * m]t = ???
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t = ???
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t = ???
def unflatten 't [n] [m] (xs: [n * m]t) : [n][m]t = ???
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t = ???
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t = ???
def transpose [n] [m] 't (a: [n][m]t) : [m][n]t = ???
def and [n] (xs: [n]bool) = ???
def or [n] (xs: [n]bool) = ???
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a = ???
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a = ???
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = ???
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a = ???
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a = ???
def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) = ???
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) = ???
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n](a, b, c) = ???
def zip4 [n] 'a 'b 'c 'd (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n](a, b, c, d) = ???
def zip5 [n] 'a 'b 'c 'd 'e (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : *[n](a, b, c, d, e) = ???
def unzip [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = ???
def unzip2 [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = ???
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) = ???
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) = ???
def unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) = ???
def (|>) '^a '^b (x: a) (f: a -> b) : b = ???
def (<|) '^a '^b (f: a -> b) (x: a) = ???
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = ???
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = ???
def flip '^a '^b '^c (f: a -> b -> c) (b: b) (a: a) : c = ???
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b) : c = ???
def uncurry '^a '^b '^c (f: a -> b -> c) (a: a, b: b) : c = ???
def const '^a '^b (x: a) (_: b) : a = ???
def id '^a (x: a) = ???
def iterate 'a (n: i32) (f: a -> a) (x: a) = ???
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) = ???
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) = ???
def r32 (x: i32) : f32 = ???
def t32 (x: f32) : i32 = ???
def r64 (x: i32) : f64 = ???
def t64 (x: f64) : i32 = ???
def not (x: bool) : bool = ???
def opaque 't (x: t) : t = ???
def trace 't (x: t) : t = ???
def break 't (x: t) : t = ???

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
  val bool : bool -> t
}

module type numeric = {
  include from_prim
  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t
  val (/) : t -> t -> t
  val (%) : t -> t -> t
  val (**) : t -> t -> t
  val to_i64 : t -> i64
  val (==) : t -> t -> bool
  val (<) : t -> t -> bool
  val (>) : t -> t -> bool
  val (<=) : t -> t -> bool
  val (>=) : t -> t -> bool
  val (!=) : t -> t -> bool
  val neg : t -> t
  val max : t -> t -> t
  val min : t -> t -> t
  val abs : t -> t
  val sgn : t -> t
  val highest : t
  val lowest : t
  val sum [n] : [n]t -> t
  val product [n] : [n]t -> t
  val maximum [n] : [n]t -> t
  val minimum [n] : [n]t -> t
}

module type integral = {
  include numeric
  val (//) : t -> t -> t
  val (%%) : t -> t -> t
  val (&) : t -> t -> t
  val (|) : t -> t -> t
  val (^) : t -> t -> t
  val not : t -> t
  val (<<) : t -> t -> t
  val (>>) : t -> t -> t
  val (>>>) : t -> t -> t
  val num_bits : i32
  val get_bit : i32 -> t -> i32
  val set_bit : i32 -> t -> i32 -> t
  val popc : t -> i32
  val mul_hi : (x: t) -> (y: t) -> t
  val mad_hi : (a: t) -> (b: t) -> (c: t) -> t
  val clz : t -> i32
  val ctz : t -> i32
}

module type real = {
  include numeric
  val recip : t -> t
  val from_fraction : i64 -> i64 -> t
  val to_i64 : t -> i64
  val to_f64 : t -> f64
  val sqrt : t -> t
  val rsqrt : t -> t
  val cbrt : t -> t
  val exp : t -> t
  val sin : t -> t
  val cos : t -> t
  val tan : t -> t
  val sinpi : t -> t
  val cospi : t -> t
  val tanpi : t -> t
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t
  val asinpi : t -> t
  val acospi : t -> t
  val atanpi : t -> t
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t
  val atan2 : t -> t -> t
  val atan2pi : t -> t -> t
  val hypot : t -> t -> t
  val gamma : t -> t
  val lgamma : t -> t
  val erf : t -> t
  val erfc : t -> t
  val lerp : t -> t -> t -> t
  val log : t -> t
  val log2 : t -> t
  val log10 : t -> t
  val log1p : t -> t
  val ceil : t -> t
  val floor : t -> t
  val trunc : t -> t
  val round : t -> t
  val mad : (a: t) -> (b: t) -> (c: t) -> t
  val fma : (a: t) -> (b: t) -> (c: t) -> t
  val isinf : t -> bool
  val isnan : t -> bool
  val inf : t
  val nan : t
  val pi : t
  val e : t
}

module type float = {
  include real
  type int_t
  val from_bits : int_t -> t
  val to_bits : t -> int_t
  val num_bits : i32
  val get_bit : i32 -> t -> i32
  val set_bit : i32 -> t -> i32 -> t
  val epsilon : t
  val nextafter : (x: t) -> (y: t) -> t
  val ldexp : t -> i32 -> t
  val copysign : (x: t) -> (y: t) -> t
}
module bool : from_prim with t = bool = {}
module i8 : (integral with t = i8) = {}
module i16 : (integral with t = i16) = {}
module i32 : (integral with t = i32) = {}
module i64 : (integral with t = i64) = {}
module u8 : (integral with t = u8) = {}
module u16 : (integral with t = u16) = {}
module u32 : (integral with t = u32) = {}
module u64 : (integral with t = u64) = {}
module f64 : (float with t = f64 with int_t = u64) = {}
module f32 : (float with t = f32 with int_t = u32) = {}
module f16 : (float with t = f16 with int_t = u16) = {}
