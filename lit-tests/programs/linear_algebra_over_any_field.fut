-- Linear algebra over an abstract field, with LU, Gauss-Jordan, determinants and so on.

-- ==
-- entry: inverse
-- input { [[4f64, 7f64], [2f64, 6f64]] } output { [[0.6f64, -0.7f64], [-0.2f64, 0.4f64]] }

-- ==
-- entry: solve
-- input { [[2f64, 1f64, -1f64], [-3f64, -1f64, 2f64], [-2f64, 1f64, 2f64]] [8f64, -11f64, -3f64] }
-- output { [2f64, 3f64, -1f64] }

-- ==
-- entry: determinant
-- input { [[1f32, 2f32], [3f32, 4f32]] } output { -2f32 }
-- input { [[2f32, 0f32, 0f32], [0f32, 3f32, 0f32], [0f32, 0f32, 4f32]] } output { 24f32 }

-- ==
-- entry: products
-- input { [[1i32, 2], [3, 4]] [[0, 1], [1, 0]] }
-- output { [[2, 1], [4, 3]] 5 [[0, 1, 0, 2], [1, 0, 2, 0], [0, 3, 0, 4], [3, 0, 4, 0]] [[7, 10], [15, 22]] }

-- ==
-- entry: rational_determinant
-- input { } output { -1i64 12i64 }

module type semiring = {
  type t
  val zero: t
  val one: t
  val +: t -> t -> t
  val *: t -> t -> t
}

module type field = {
  include semiring
  val -: t -> t -> t
  val /: t -> t -> t
  val less_abs: t -> t -> bool
}

module mk_matrix (S: semiring) = {
  type t = S.t
  type matrix [n][m] = [n][m]t
  type square [n] = matrix [n] [n]

  def dot [n] (a: [n]t) (b: [n]t): t = reduce (S.+) S.zero (map2 (S.*) a b)
  def outer [n][m] (a: [n]t) (b: [m]t): matrix [n][m] = map (\x -> map (x S.*) b) a
  def matvec [n][m] (a: matrix [n][m]) (v: [m]t): [n]t = map (dot v) a
  def matmul [n][m][p] (a: matrix [n][p]) (b: matrix [p][m]): matrix [n][m] =
    map (\r -> map (\c -> dot r c) (transpose b)) a
  def eye (n: i64): square [n] =
    tabulate_2d n n (\i j -> if i == j then S.one else S.zero)
  def trace [n] (a: square [n]): t = reduce (S.+) S.zero (map (\i -> a[i, i]) (iota n))
  def kronecker [n][m][p][q] (a: matrix [n][m]) (b: matrix [p][q]): matrix [n*p][m*q] =
    map (\r -> map (\x -> map (map (x S.*)) b) r) a
    |> map transpose
    |> map (map flatten)
    |> flatten
  def power [n] (a: square [n]) (e: i32): square [n] =
    let (r, _, _) =
      loop (r, b, e) = (eye n, a, e) while e > 0 do
        (if e % 2 == 1 then matmul r b else r, matmul b b, e / 2)
    in r
}

module mk_linalg (F: field) = {
  module M = mk_matrix F
  open M

  -- | Row reduction of an augmented matrix, with partial pivoting.
  def gauss_jordan [n][m] (a: matrix [n][m]): *matrix [n][m] =
    loop a = copy a for i < i64.min n m do
      let better (x: (t, i64)) (y: (t, i64)) =
        if y.1 < 0 then x else if x.1 < 0 then y
        else if F.less_abs x.0 y.0 then y
        else if F.less_abs y.0 x.0 then x
        else if x.1 < y.1 then x else y
      let (_, p) = reduce_comm better (F.zero, -1)
                     (map2 (\x j -> if j < i then (F.zero, -1) else (x, j)) a[:, i] (iota n))
      let row_i = copy a[i]
      let row_p = copy a[p]
      let a[i] = row_p
      let a[p] = if p == i then row_p else row_i
      let v1 = a[i, i]
      let irow = map (F./ v1) a[i]
      in tabulate n (\j ->
           let f = a[j, i]
           in map2 (\x y -> if j == i then y else x F.- f F.* y) a[j] irow)

  def inv [n] (a: square [n]): square [n] =
    let ai = map2 concat a (eye n)
    in (gauss_jordan ai)[:, n:] :> square [n]

  def ols [n] (a: square [n]) (b: [n]t): [n]t =
    let ab = map2 (\r x -> r ++ [x]) a b
    in gauss_jordan ab |> map last

  def lu [n] (a: square [n]): (square [n], square [n]) =
    let l0 = eye n
    let u0 = a
    let (l, u) =
      loop (l: *[n][n]t, u) = (l0, u0) for k < n do
        let factors = map (\i -> if i > k then u[i, k] F./ u[k, k] else F.zero) (iota n)
        let l = l with [:, k] = map2 (\i f -> if i > k then f else if i == k then F.one else F.zero) (iota n) factors
        let u = map2 (\r f -> map2 (\x p -> x F.- f F.* p) r u[k]) u factors
        in (l, u)
    in (l, u)

  def det [n] (a: square [n]): t =
    let (_, u) = lu a in reduce (F.*) F.one (map (\i -> u[i, i]) (iota n))
}

module f64_field = { open f64 def zero: t = 0 def one: t = 1 def less_abs (x: t) (y: t) = abs x < abs y }
module f32_field: field with t = f32 = {
  type t = f32
  def zero = 0f32
  def one = 1f32
  def (+) = (f32.+)
  def (*) = (f32.*)
  def (-) = (f32.-)
  def (/) (x: t) (y: t) = x f32./ y
  def less_abs x y = f32.abs x < f32.abs y
}

module la64 = mk_linalg f64_field
module la32 = mk_linalg f32_field
module ints = mk_matrix { type t = i32 def zero: t = 0 def one: t = 1 def (+) (x: t) y = x i32.+ y def (*) (x: t) y = x i32.* y }

-- Rationals as a field.
module rational: { include field val mk: i64 -> i64 -> t val num: t -> i64 val den: t -> i64 } = {
  type t = { num: i64, den: i64 }
  def gcd (a: i64) (b: i64): i64 =
    let (a, _) = loop (a, b) = (i64.abs a, i64.abs b) while b != 0 do (b, a % b) in a
  def mk (n: i64) (d: i64): t =
    let g = gcd n d
    let s = if d < 0 then -1 else 1
    in if g == 0 then { num = 0, den = 1 } else { num = s * n / g, den = s * d / g }
  def num (x: t) = x.num
  def den (x: t) = x.den
  def zero = mk 0 1
  def one = mk 1 1
  def less_abs (x: t) (y: t) = i64.abs x.num * y.den < i64.abs y.num * x.den
  def div (x: t) (y: t) = mk (x.num * y.den) (x.den * y.num)
  def x / y = div x y
  def (x: t) * (y: t) = mk (x.num i64.* y.num) (x.den i64.* y.den)
  def (x: t) - (y: t) = mk (x.num i64.* y.den i64.- y.num i64.* x.den) (x.den i64.* y.den)
  def (x: t) + (y: t) = mk (i64.((x.num * y.den) + y.num * x.den)) (x.den i64.* y.den)
}

module laq = mk_linalg rational

entry inverse (a: [][]f64) = let n = length a in la64.inv (a :> [n][n]f64)
entry solve [n] (a: [n][n]f64) (b: [n]f64) = la64.ols a b
entry determinant [n] (a: la32.square [n]) = la32.det a
entry products (a: [2][2]i32) (b: [2][2]i32) =
  (ints.matmul a b, ints.trace a, ints.kronecker a b, ints.power a 2)
entry rational_determinant =
  let q = rational.mk
  let a = [[q 1 2, q 1 3], [q 1 1, q 1 2]]
  let d = laq.det a
  in (rational.num d, rational.den d)
