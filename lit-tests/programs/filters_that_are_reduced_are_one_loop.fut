-- Filters of which all is reduced.
-- ==
-- entry: sum
-- input { empty([0]i32) } output { 0 }
-- input { [1] } output { 0 }
-- input { [-3, -4, 0] } output { 0 }
-- input { [5, 6] } output { 22 }
-- input { [1, 5, -2, 6, 7, 0, 2, 9, 3, 11, 12] } output { 100 }

-- ==
-- entry: quotients
-- input { empty([0]i64) } output { 0i64 }
-- input { [0i64, 0i64] } output { 0i64 }
-- input { [0i64, 5i64, 0i64, -7i64, 20i64] } output { 10i64 }

-- ==
-- entry: elements
-- input { [1i64, 2i64] empty([0]i64) } output { 0i64 }
-- input { [1i64, 2i64] [9i64, 0i64, -1i64, 1i64, 1i64, 2i64] } output { 5i64 }

-- ==
-- entry: unguarded
-- input { [1i64, 2i64] [0i64, 1i64] } output { 3i64 }
-- input { [1i64, 2i64] [0i64, 5i64, -1i64] } error: out of bounds

-- ==
-- entry: both
-- input { empty([0]f32) } output { f32.inf -f32.inf 0i64 }
-- input { [1f32, -1f32, 4f32] } output { 1f32 4f32 2i64 }
-- input { [f32.nan, -f32.inf, -1f32] } output { f32.inf -f32.inf 0i64 }

-- ==
-- entry: last_largest
-- input { empty([0]i8) } output { -128i8 -1i64 }
-- input { [3i8, 5i8, 4i8, 5i8, 7i8, -2i8] } output { 7i8 4i64 }
-- input { [2i8, 4i8] } output { -128i8 -1i64 }

-- ==
-- entry: all_of
-- input { empty([0]i32) } output { true false }
-- input { [1, 2, 5] } output { true false }
-- input { [1, 20, 5] } output { true true }
-- input { [1, 20, 3, 1] } output { true true }
-- input { [1, 4, 0] } output { true false }
-- input { [11, 20] } output { true true }

-- ==
-- entry: also_kept
-- input { [1, 5, 2, 6] } output { 11 [5, 6] }

-- ==
-- entry: mean
-- input { [1f64, 5f64, 2f64, 6f64] } output { 5.5f64 }

-- ==
-- entry: rows
-- input { [[1, 5], [6, 7], [0, 0]] } output { [5, 13, 0] }

-- ==
-- entry: triangle
-- input { 0i64 } output { 0i64 }
-- input { 10i64 } output { 126i64 }
-- input { 1000i64 } output { 111277611i64 }

-- ==
-- entry: changed_between
-- input { [1, 5, 2, 6] } output { 11 [100, 5, 2, 6] }

-- ==
-- entry: twice
-- input { [1, 5, 2, 6, 40] } output { 51 6 }

-- ==
-- entry: parts
-- input { empty([0]i64) } output { 0i64 0i64 0i64 }
-- input { [0i64, 5i64, 0i64, -7i64, 20i64] } output { 10i64 2i64 32i64 }
-- input { [0i64, 0i64] } output { 0i64 2i64 0i64 }

-- ==
-- entry: one_part
-- input { [1, 5, 2, 6] } output { 11 [1, 2] }

-- ==
-- entry: parts_of_parts
-- input { [1, 5, 2, 6, 12, -3] } output { 11 12 0 }

-- ==
-- entry: zipped
-- input { [1f32, -1f32, f32.nan, 4f32] [7i64, 8i64, 9i64, 10i64] } output { 5f32 17i64 43f32 }

-- ==
-- entry: counted
-- input { empty([0]i64) } output { [0i64, 0i64, 0i64] }
-- input { [1i64, 5i64, 6i64, -4i64, 7i64, 100i64, 8i64] } output { [1i64, 1i64, 3i64] }

-- ==
-- entry: marked
-- input { [1i64, 5i64, 6i64, -4i64, 2i64] } output { [false, true, true, false, false] }

-- ==
-- entry: lines
-- input { [[5, 1], [0, 9], [6, 7]] } output { 19 }
-- input { empty([0][2]i32) } output { 0 }

-- ==
-- entry: captured
-- input { [1, 5, 2, 6] } output { 21 }

-- ==
-- entry: several_readers
-- input { [1, 5, 2, 6] } output { 61 36 30 2i64 }

-- ==
-- entry: variance
-- input { [1f64, 4f64, 2f64, 6f64] } output { 2f64 }

-- ==
-- entry: in_maps
-- input { [1i64, 2i64, 3i64] [4i64, 0i64, 3i64] } output { [10i64, 18i64, 12i64] }

entry sum (x: []i32) = i32.sum (map (* 2) (filter (> 3) x)) + 0
entry quotients (x: []i64) = i64.sum (map (100 /) (filter (!= 0) x)) - 0
entry elements [n] (t: [n]i64) (is: []i64) =
  i64.sum (map (\i -> t[i]) (filter (\i -> i >= 0 && i < n) is))
entry unguarded [n] (t: [n]i64) (is: []i64) =
  i64.sum (map (\i -> t[i]) (filter (>= 0) is))
entry both (x: []f32) =
  let kept = filter (> 0) x in (f32.minimum kept, f32.maximum kept, length kept)
entry last_largest [n] (x: [n]i8) =
  let larger (a: i8, i: i64) (b: i8, j: i64) = if a > b || (a == b && i > j) then (a, i) else (b, j)
  in reduce larger (i8.lowest, -1) (filter (\(v, _) -> v % 2 != 0) (zip x (iota n)))
entry all_of (x: []i32) = let kept = filter (> 3) x in (all (> 4) (filter (< 15) (map (+ 3) kept)), any (> 10) kept)
entry also_kept (x: []i32) = let kept = filter (> 3) x in (i32.sum kept, kept)
entry mean (x: []f64) = let kept = filter (> 3) x in f64.sum kept / f64.i64 (length kept)
entry rows (x: [][]i32) = map (\r -> i32.sum (filter (> 3) r)) x
entry triangle (n: i64) = i64.sum (map (\i -> i * i) (filter (\i -> i % 3 == 0) (iota n)))
entry changed_between (x: *[]i32) =
  let kept = filter (> 3) x
  let y = copy x with [0] = 100
  in (i32.sum kept, y)
entry twice (x: []i32) =
  let kept = filter (> 3) x
  in (i32.sum kept, i32.maximum (filter (< 10) kept))
entry parts (x: []i64) =
  let (a, b) = partition (!= 0) x
  in (i64.sum (map (100 /) a), length b, i64.sum (map (\v -> if v > 0 then v * 2 else -18) a))
entry one_part (x: []i32) = let (a, b) = partition (> 3) x in (i32.sum a, b)
entry parts_of_parts (x: []i32) =
  let (a, b) = partition (> 3) x
  let (c, d) = partition (< 10) a
  in (i32.sum c, i32.sum d, i32.sum b)
entry zipped [n] (x: [n]f32) (y: [n]i64) =
  let (a, b) = unzip (filter (\(p, _) -> p > 0) (zip x y))
  in (f32.sum a, i64.sum b, f32.sum (map2 (\p q -> p * f32.i64 q - 2) a b))
entry counted (x: []i64) =
  let kept = filter (\v -> v > 4 && v < 50) x
  in reduce_by_index (replicate 3 0) (+) 0 (map (% 3) kept) (map (\v -> 20 / (v - 4) / 20 + 1) kept)
entry marked [n] (x: [n]i64) =
  let kept = filter (> 4) x
  in scatter (replicate n false) (map (\v -> v - 4) kept) (map (> 4) kept)
entry lines [n] [m] (x: [n][m]i32) = i32.sum (map (\r -> i32.sum r) (filter (\r -> r[0] > 3) x))
entry captured (x: []i32) = let kept = filter (> 3) x in i32.sum (map (+ kept[0]) kept)
entry several_readers (x: []i32) =
  let kept = filter (> 3) x
  let squares = map (\v -> v * v) kept
  in (i32.sum squares, i32.maximum squares, reduce (*) 1 kept, length squares)
entry variance (x: []f64) =
  let kept = filter (> 3) x
  let mean = f64.sum kept / f64.i64 (length kept)
  in f64.sum (map (\v -> (v - mean) ** 2) kept)
entry in_maps (x: []i64) (y: []i64) = map (\v -> i64.sum (map (\w -> 12 / (w - v)) (filter (> v) y))) x
