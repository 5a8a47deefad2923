-- Sobol sequences: direction vectors by module parameter, dimension a module constant, chunked generation.
-- ==
-- entry: points
-- input { 4i64 } output { [[0.0f64, 0.0f64], [0.5f64, 0.5f64], [0.75f64, 0.25f64], [0.25f64, 0.75f64]] }

-- ==
-- entry: pi
-- input { 4096i64 } output { true }

-- ==
-- entry: agree
-- input { 64i64 } output { true }

module type sobol_dir = {
  val n: i64
  -- | (s, a, m)
  val a: [n]u32
  val s: [n]i32
  val m: [n][4]u32
}

module type sobol = {
  type t
  val D: i64
  val norm: t
  val independent: i32 -> [D]t
  val recurrent: i32 -> [D]t -> [D]t
  val chunk: i32 -> (n: i64) -> [n][D]t
  val sobol: (n: i64) -> [n][D]f64
}

module Sobol (DM: sobol_dir) (X: { val D: i64 }): sobol with t = u32 = {
  def D = assert (X.D <= DM.n + 1) X.D
  type t = u32
  def L = 32i64
  def norm = 1u32 << 31

  def dirvec (j: i64): [L]u32 =
    if j == 0 then map (\i -> 1 << (32 - u32.i64 (i + 1))) (iota L)
    else
      let s = i64.i32 DM.s[j - 1]
      let a = DM.a[j - 1]
      let V = map (\i -> if i < s then DM.m[j - 1, i] << (32 - u32.i64 (i + 1)) else 0) (iota L)
      in loop V for i' < L - s do
           let i = s + i'
           let v = V[i - s]
           let vi0 = v ^ (v >> u32.i64 s)
           let vi = loop vi = vi0 for k in 1..<s do
                      vi ^ (((a >> u32.i64 (s - 1 - k)) & 1) * V[i - k])
           in V with [i] = vi

  def dirvecs: [D][L]u32 = map dirvec (iota D)

  def index_of_least_significant_0 (x: i32): i32 =
    (loop (c, i) = (x, 0) while c & 1 == 1 do (c >> 1, i + 1)).1

  def gray (x: i32): i32 = (x >> 1) ^ x

  def test_bit (x: i32) (b: i64): bool = (x >> i32.i64 b) & 1 == 1

  def independent (i: i32): [D]u32 =
    let g = gray i
    in map (\vs -> reduce (^) 0 (map2 (\b v -> if test_bit g b then v else 0) (iota L) vs)) dirvecs

  def recurrent (i: i32) (xs: [D]u32): [D]u32 =
    let c = index_of_least_significant_0 i
    in map2 (\vs x -> vs[i64.i32 c] ^ x) dirvecs xs

  def chunk (i: i32) (n: i64): [n][D]u32 =
    let sob_beg = independent i
    let contrb = map (\k -> let j = i32.i64 k + i in
                            if k == 0 then sob_beg
                            else map (.[i64.i32 (index_of_least_significant_0 (j - 1))]) dirvecs)
                     (iota n)
    in scan (\x y -> map2 (^) x y) (replicate D 0u32) contrb

  def sobol (n: i64): [n][D]f64 =
    map (map (\x -> f64.u32 x / 0x1.0p32)) (chunk 0 n)
}

module dirs: sobol_dir = {
  def n = 3i64
  def a = sized n [0u32, 1, 1]
  def s = [1i32, 2, 3] :> [n]i32
  def m: [n][4]u32 = [[1u32, 0, 0, 0], [1, 3, 0, 0], [1, 3, 1, 0]] :> [n][4]u32
}

module S2 = Sobol dirs { def D: i64 = 2 }
module S4 = Sobol dirs { def D = 4i64 }

entry points (n: i64): [n][2]f64 = S2.sobol n :> [n][2]f64

entry pi (n: i64): bool =
  let inside = S2.sobol n |> map (\p -> p[0] * p[0] + p[1] * p[1] < 1) |> map i64.bool |> i64.sum
  in f64.abs (4 * f64.i64 inside / f64.i64 n - f64.pi) < 0.02

entry agree (n: i64): bool =
  let a = S4.chunk 0 n
  let b = map (\i -> S4.independent (i32.i64 i)) (iota n)
  let c = map (\i -> if i == 0 then S4.independent 0 else S4.recurrent (i32.i64 i - 1) (copy b[i - 1])) (iota n)
  in all id (flatten (map2 (map2 (==)) a b)) && and (map (\(x, y) -> x == y) (zip b c))
