-- In a definition, its own name means what it meant before: operators, conversions and functions are
-- made of those of the same name. Fixed point with any number of fractional bits; fractions.
-- ==
-- entry: fixed_ops
-- input { [1.5f64, -2.25f64, 3f64] } output { 2.25f64 1.5f64 [2.25f64, 5.0625f64, 9f64] [1f64, -3f64, 3f64] }

-- ==
-- entry: sqrt2
-- input { 10 } output { 8119i64 5741i64 }

-- ==
-- entry: harmonic
-- input { 10 } output { 7381i64 2520i64 }

module type fixedpoint = {
  include from_prim
  val +: t -> t -> t
  val -: t -> t -> t
  val *: t -> t -> t
  val /: t -> t -> t
  val floor: t -> t
  val to_f64: t -> f64
  val sum [n]: [n]t -> t
  val frac_bits: i32
}

module fixed (I: integral) (P: { val frac: i32 }) : fixedpoint with t = {raw: I.t} = {
  type t = {raw: I.t}
  def frac_bits = P.frac
  def lift (f: I.t -> I.t -> I.t) (a: t) (b: t): t = {raw = f a.raw b.raw}
  def one: I.t = I.(i32 1 << i32 P.frac)
  def of_int (x: I.t): t = {raw = x I.* one}
  def i8 x = of_int (I.i8 x)
  def i16 x = of_int (I.i16 x)
  def i32 x = of_int (I.i32 x)
  def i64 x = of_int (I.i64 x)
  def u8 x = of_int (I.u8 x)
  def u16 x = of_int (I.u16 x)
  def u32 x = of_int (I.u32 x)
  def u64 x = of_int (I.u64 x)
  def bool x = of_int (I.bool x)
  def to_f64 (a: t) = f64.i64 (I.to_i64 a.raw) f64./ f64.i64 (I.to_i64 one)
  local def of_f64 (x: f64): t = {raw = I.f64 (x f64.* f64.i64 (I.to_i64 one))}
  def f32 (x: f32): t = of_f64 (f64.f32 x)
  def f16 (x: f16): t = of_f64 (f64.f16 x)
  def f64 (x: f64): t = if f64.isnan x then {raw = I.f64 0} else of_f64 x
  def (+) = lift (I.+)
  def (-) = lift (I.-)
  def (*) = lift (\a b -> I.((a * b) >> i32 P.frac))
  def (/) = lift (\a b -> I.((a << i32 P.frac) / b))
  def floor (a: t): t = {raw = I.((a.raw >> i32 P.frac) << i32 P.frac)}
  def sum [n] (xs: [n]t): t = reduce (+) (i32 0) xs
}

module q16 = fixed i64 { def frac = 16i32 }

entry fixed_ops (xs: []f64) =
  let qs = map q16.f64 xs
  let s = q16.sum qs
  in ( q16.to_f64 s
     , q16.(to_f64 (qs[0] * qs[0] - qs[0] / i32 2))
     , map (\q -> q16.to_f64 (q q16.* q)) qs
     , map (q16.floor >-> q16.to_f64) qs)

type ratio = {num: i64, den: i64}

def reduce_ratio (r: ratio): ratio =
  let g = (loop (a, b) = (i64.abs r.num, i64.abs r.den) while b > 0 do (b, a % b)).0
  in r with num = r.num / g with den = r.den / g

def (+|) (a: ratio) (b: ratio): ratio =
  reduce_ratio {num = a.num * b.den + b.num * a.den, den = a.den * b.den}
def (*|) (a: ratio) (b: ratio) = reduce_ratio {num = a.num * b.num, den = a.den * b.den}
def inv ({num, den}: ratio): ratio = {num = den, den = num}
def (/|) a b = a *| inv b
def int (n: i64) = {num = n, den = 1i64}

entry sqrt2 (k: i32) =
  let r = loop r = int 1 for _i < k do int 1 +| int 1 /| (int 1 +| r)
  in (r.num, r.den)

entry harmonic (n: i32) = 
  let r = reduce (+|) (int 0) (map (\i -> inv (int (i + 1))) (iota (i64.i32 n)))
  in (r.num, r.den)

-- ==
-- entry: pairs
-- input { [3, 1, 2] [1, 2, 3] } output { [false, true, false] 6 [9, 1, 4] }

module pair = {
  type t = (i32, i32)
  def (<=) (a: t) (b: t) = a.0 < b.0 || (a.0 == b.0 && a.1 <= b.1)
  def map f xs = map (\(a: i32, b: i32) -> f a b) xs
  def i32 (x: t) = i32.max x.0 x.1
  def (a: t) * (b: t) : t = (a.0 * b.0, a.1 * b.1)
}

def factorial (n: i32) : i32 = if n <= 1 then 1 else n * factorial (n - 1)
def flip (n: i32) : i32 = if n == 0 then 0 else 1 + flip (n - 1)

entry pairs (xs: []i32) (ys: []i32) =
  ( map2 (\x y -> (x, y) pair.<= (2, 2)) xs ys
  , factorial (flip (pair.i32 (3, 2)))
  , pair.map (\a b -> (pair.((a, b) * (a, b))).0) (zip xs ys) )
