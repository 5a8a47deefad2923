-- A map is scattered and reduced in one pass, which reads a copy of what it writes, if that is small.

-- Levels of a search: the map reads the levels that are written.
-- ==
-- entry: reached
-- input { [0i32, 0, 1, 1, 2, 4, 5] [1i32, 2, 3, 0, 3, 5, 4] 6i64 }
-- output { [0i32, 1, 1, 2, -1, -1] }
-- input { [0i32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]
--         [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34] 36i64 }
-- output { [0i32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, -1] }
-- input { [0i32] [1i32] 40i64 }
-- output { [0i32, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] }
-- input { [0i32, 7] [1i32, 0] 3i64 } error: out of bounds
-- input { empty([0]i32) empty([0]i32) 1i64 } output { [0i32] }
entry reached [m] (us: [m]i32) (vs: [m]i32) (n: i64) : [n]i32 =
  let (levels, _, _) =
    loop (levels, depth, more) = (replicate n (-1) with [0] = 0, 0, true) while more do
      let (places, news) =
        unzip (map2 (\u v -> if levels[u] == depth && levels[v] < 0 then (i64.i32 v, depth + 1) else (-1, 0)) us vs)
      in (scatter levels places news, depth + 1, any (>= 0) places)
  in levels

-- Elements change places, which reads what is written.
-- ==
-- entry: moved
-- input { [5i64, 6, 7, 8] [1i64, 0, 3, 2, -1, 9] }
-- output { [8i64, 7, 6, 5] 4i64 8i64 }
-- input { [1i64, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
--         [19i64, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] }
-- output { [20i64, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1] 190i64 20i64 }
entry moved [n] [k] (xs: *[n]i64) (js: [k]i64) : ([n]i64, i64, i64) =
  let (is, ys) = unzip (map (\j -> if j >= 0 && j < n then (j, xs[n - 1 - j]) else (-1, -7)) js)
  let total = i64.sum is
  let xs = scatter xs is ys
  in (xs, total, i64.maximum ys)

-- The same value goes to one place from many points.
-- ==
-- entry: last
-- input { [1i32, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35] [10i32, 20, 30] }
-- output { [10i32, 20, 30] 0i64 }
-- input { [-1i32, -1, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] [1i32, 2, 3] }
-- output { [1i32, 2, 3] 33i64 }
entry last [n] [m] (xs: [n]i32) (ys: *[m]i32) : ([m]i32, i64) =
  let (is, vs) = unzip (map (\x -> if x < 0 && ys[i64.i32 (-x - 1)] > 0 then (0, ys[0]) else (-1, x)) xs)
  let ys = scatter ys is vs
  in (ys, i64.sum (map (\i -> i64.bool (i == 0)) is))

-- What is read where there is something: the array is shorter than the range of points.
-- ==
-- entry: shorter
-- input { [7i64, 8] [1i64, 2, 3, 4, 5] } output { [7i64, 9] true [7i64, 16, 9, 16, 25] }
-- input { empty([0]i64) [1i64, 2, 3] } output { empty([0]i64) true [1i64, 4, 9] }
entry shorter [n] [k] (xs: *[k]i64) (ys: [n]i64) : ([k]i64, bool, [n]i64) =
  let at i y = if i < k then xs[i] else y
  let zs = map2 (\i y -> at i y * y) (iota n) ys
  let (is, vs) = unzip (map2 (\i y -> (if y > 3 then 2 - y else 3 - y - i64.bool (y == 3), at i y + 1)) (iota n) ys)
  in (scatter xs is vs, any (>= 0) is, zs)
