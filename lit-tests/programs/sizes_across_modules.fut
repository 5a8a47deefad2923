-- Sizes across modules: constants, existential records, size-lifted types in loops and branches.
-- ==
-- entry: consts
-- input { } output { 3i64 5i64 [1, 2, 3] [2, 4, 6, 8, 10] 6 }

-- ==
-- entry: ragged
-- input { [[1,2,3],[4,5,6]] } output { [1,2,3,5] [3i64, 1] 2i64 11 }

-- ==
-- entry: branches
-- input { true [1,2,3,4] } output { [2,4] 2i64 }
-- input { false [1,2,3,4] } output { [1,2,3,4] 4i64 }

-- ==
-- entry: closures
-- input { 3i64 } output { [0i64,3,6] [3i64,4,5] 12i64 }

-- ==
-- entry: sums
-- input { 0 [1,2,3] } output { 6 }
-- input { 1 [1,2,3] } output { 3 }
-- input { 2 [1,2,3] } output { -1 }

-- ==
-- entry: ropes
-- input { "ab" 3 } output { "abababab" 8i64 }

module type data = { val n : i64 val xs : [n]i32 val ys : []i32 val pair : ?[k].([k]i32, [k]i32) }
module d : data = {
  def n = 3i64
  def xs = sized n [1i32, 2, 3]
  def ys = map (* 2) [1i32, 2, 3, 4, 5]
  def pair = let zs = filter (> 1) [1i32, 2, 3, 4] in (zs, map (+ 1) zs)
}
module use (D: data) = {
  def total = i32.sum D.xs
  def zipped = zip D.xs (iota D.n)
  def m = length D.ys
  def table : [m]i32 = D.ys :> [m]i32
}
module u = use d
entry consts = (d.n, u.m, map (.0) u.zipped, u.table, u.total)

type~ jagged = {flat: []i32, shape: []i64}
def jag [n] [m] (p: i32 -> bool) (xss: [n][m]i32) : jagged =
  let lens = map (\xs -> i64.sum (map (\x -> i64.bool (p x)) xs)) xss
  in {flat = filter p (flatten xss), shape = lens}
def segs (j: jagged) = length j.shape
def append (a: jagged) (b: jagged) : jagged = {flat = a.flat ++ b.flat, shape = a.shape ++ b.shape}
entry ragged (xss: [][]i32) =
  let j = jag (\x -> x <= 3 || x == 5) xss
  let k = append j j
  in (j.flat, j.shape, segs j, i32.sum k.flat / 2)

entry branches (b: bool) (xs: []i32) =
  let ys = if b then filter (\x -> x % 2 == 0) xs else xs
  let zs = match b case true -> ys case false -> ys ++ []
  in (zs, length zs)

entry closures (n: i64) =
  let scale [k] (c: i64) (xs: [k]i64) = map (* c) xs
  let f = scale n
  let g = \i -> (iota n)[i] + n
  let h (m: i64) = \(xs: [m]i64) -> i64.sum xs + m
  in (f (iota n), tabulate n g, h n (tabulate n g) - n + 0)

entry sums (k: i32) (xs: []i32) : i32 =
  match k
  case 0 -> i32.sum xs
  case 1 -> last xs
  case _ -> -1

entry ropes (s: []u8) (k: i32) =
  let r = loop r = s for _i < k do r ++ r
  in (take 8 r, i64.min 8 (length r))
