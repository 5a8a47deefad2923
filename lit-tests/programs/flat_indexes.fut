-- Rows, columns and planes are told from one index, in reductions, maps, filters and scans.
-- ==
-- entry: sums
-- input { 3i64 20i64 } output { 1160i64 -2i32 19i64 }
-- input { 700i64 30i64 } output { 110391750i64 -699i32 29i64 }
-- input { 0i64 20i64 } output { 0i64 2147483647i32 0i64 }
-- input { 5i64 7i64 } output { 343i64 -4i32 6i64 }
-- input { 4i64 0i64 } output { 0i64 2147483647i32 0i64 }

-- ==
-- entry: planes
-- input { 3i64 4i64 20i64 } output { true }
-- input { 2i64 1i64 9i64 } output { true }
-- input { 5i64 7i64 3i64 } output { true }
-- input { 0i64 4i64 20i64 } output { true }
-- input { 30i64 40i64 33i64 } output { true }

-- ==
-- entry: nearest
-- input { [0f32, 3, 1, 9, 2, 7, 4, 30, 20, 12, 21.5, 100] } output { 1f32 0i64 2i64 }
-- input { [5f32, 5, 5] } output { 0f32 0i64 1i64 }
-- input { [5f32] } output { f32.inf 0i64 0i64 }
-- input { empty([0]f32) } output { f32.inf 0i64 0i64 }

-- ==
-- entry: round
-- input { [1i64, 2, 3, 4, 5, 6, 7, 8, 9, 10] 5i64 } output { 2350i64 }
-- input { [1i64, 2, 3] 4i64 } output { 104i64 }

-- ==
-- entry: pairs
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 8i64 } output { true }
-- input { 13i64 } output { true }
-- input { 40i64 } output { true }
-- input { 300i64 } output { true }
-- input { 0i64 } output { true }

entry sums (h: i64) (w: i64) : (i64, i32, i64) =
  let s = i64.sum (map (\t -> (t / w + 1) * (t % w) + t / (2 * w)) (iota (h * w)))
  let m = i32.minimum (map (\t -> let (y, x) = (i32.i64 (t / w), i32.i64 (t % w)) in if x < y then x - y else x * y) (iota (h * w)))
  let (_, p) = reduce (\(v, i) (u, j) -> if u > v then (u, j) else (v, i)) (i64.lowest, 0) (map (\t -> ((t % w) - w * (t / w), t)) (iota (h * w)))
  in (s, m, p)

entry planes (d: i64) (h: i64) (w: i64) : bool =
  let a = map (\t -> let r = t % (h * w) in ((t / (h * w)) * 5 + r / w * 3, r % w, (t / w) % h)) (iota (d * h * w))
  let b = flatten (flatten (tabulate_3d d h w (\z y x -> (z * 5 + y * 3, x, y))))
  let total = reduce (+) 0 (map (\t -> let r = t % (w * h) in (t / (w * h)) * 7 + (r / w) * (r % w)) (iota (d * h * w)))
  let other = reduce (+) 0 (flatten (flatten (tabulate_3d d h w (\z y x -> z * 7 + y * x))))
  in all (\((x, y, z), (u, v, t)) -> x == u && y == v && z == t) (zip a (b :> [d * h * w](i64, i64, i64))) && total == other

entry nearest [n] (xs: [n]f32) : (f32, i64, i64) =
  let at t = let (i, j) = (t / n, t % n) in if i < j then (f32.abs (xs[i] - xs[j]), i, j) else (f32.inf, i, j)
  in reduce_comm (\(a, i, j) (b, k, l) -> if a < b || a == b && (i < k || i == k && j <= l) then (a, i, j) else (b, k, l)) (f32.inf, n, n) (map at (iota (n * n)))

entry round [n] (xs: [n]i64) (m: i64) : i64 =
  i64.sum (map (\t -> let (i, j) = (t / n, t % n) in (i + 1) * xs[j] + xs[(j + 1) % n] * xs[(j + n - 1) % n]) (iota (m * n)))

-- Pairs in order, from one range and row by row.
entry pairs (n: i64) : bool =
  let wanted i j = i < j && (i * 7 + j) % 3 != 0
  let flat = filter (\t -> wanted (t / n) (t % n)) (iota (n * n))
  let counts = map (\i -> i64.sum (map (\j -> i64.bool (wanted i j)) (iota n))) (iota n)
  let rows = map2 (\t k -> let (i, j) = (t / n, t % n) in wanted i j && k == t) flat flat
  let (a, b) = partition (\t -> t % n > t / n) (iota (n * n))
  in length flat == i64.sum counts && and rows && and (map2 (<) (take (i64.max 0 (length flat - 1)) flat) (drop (i64.min 1 (length flat)) flat :> [i64.max 0 (length flat - 1)]i64))
     && length a + length b == n * n
     && all (\t -> t % n > t / n) a
     && !(any (\t -> t % n > t / n) b)
