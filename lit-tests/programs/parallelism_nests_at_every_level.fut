-- map, reduce, scan, scatter and loops within map, and within each other.
-- ==
-- entry: within_map
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [6, 15] [[1, 3, 6], [4, 9, 15]] [[2, 3, 4], [5, 6, 7]] [[3, 2, 1], [6, 5, 4]] [1, 4] [[1, 0, 3], [0, 5, 0]] }

-- ==
-- entry: three_levels
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
-- output { [[3, 7], [11, 15]] [10, 26] 36 [[[1, 3], [3, 7]], [[5, 11], [7, 15]]] [[[1, 2], [4, 6]], [[5, 6], [12, 14]]] }

-- ==
-- entry: shared_and_own
-- input { [1, 2, 3] [10, 20] } output { [[11, 21], [12, 22], [13, 23]] [[10, 20], [20, 40], [30, 60]] [32, 34, 36] }

-- ==
-- entry: irregular
-- input { [0i64, 1i64, 4i64, 2i64] } output { [0i64, 0i64, 6i64, 1i64] [0i64, 1i64, 2i64, 1i64] }

-- ==
-- entry: histograms
-- input { [[0i64, 1i64, 1i64], [2i64, 2i64, 2i64]] } output { [[1, 2, 0], [0, 0, 3]] [1, 2, 3] }

-- ==
-- entry: loops
-- input { [1i32, 3i32, 0i32] } output { [2i32, 8i32, 1i32] [[1i32, 1i32], [3i32, 4i32], [1i32, 0i32]] }

-- ==
-- entry: branches
-- input { [[3, 1, 2], [1, 1, 1]] [true, false] } output { [6, 1] [[3, 4, 6], [1, 1, 1]] }

-- ==
-- entry: matrix_of_products
-- input { [[1, 2], [3, 4]] [[5, 6], [7, 8]] } output { [[19, 22], [43, 50]] }

entry within_map [n] [m] (xss: [n][m]i32) =
  ( map i32.sum xss, map (scan (+) 0) xss, map (map (+ 1)) xss, map reverse xss
  , map (\xs -> xs[0]) xss
  , map (\xs -> scatter (replicate m 0) (map (\x -> if x % 2 == 1 then i64.i32 (x - 1) % m else -1) xs) xs)
        xss)

entry three_levels [n] [m] [k] (x: [n][m][k]i32) =
  ( map (map i32.sum) x
  , map (\xss -> i32.sum (map i32.sum xss)) x
  , i32.sum (map (\xss -> i32.sum (map i32.sum xss)) x)
  , map (map (scan (+) 0)) x
  , map (scan (map2 (+)) (replicate k 0)) x)

entry shared_and_own [n] [m] (xs: [n]i32) (ys: [m]i32) =
  ( map (\x -> map (+ x) ys) xs
  , map (\x -> map (* x) ys) xs
  , map (\x -> reduce (+) 0 (map (+ x) ys)) xs)

-- The sizes of the inner arrays are not known outside.
entry irregular [n] (ns: [n]i64) : ([n]i64, [n]i64) =
  ( map (\k -> i64.sum (iota k)) ns
  , map (\k -> length (filter (\i -> i % 2 == 0) (iota k))) ns)

entry histograms [n] [m] (xss: [n][m]i64) =
  ( map (\xs -> hist (+) 0 3 xs (replicate m 1i32)) xss
  , hist (+) 0 3 (flatten xss) (replicate (n * m) 1i32))

entry loops [n] (xs: [n]i32) =
  ( map (\x -> loop p = 1 for _i < x do p * 2) xs
  , map (\x -> loop ab = [1, 0] for _i < x do [i32.max 1 (ab[1] + 1), ab[0] + ab[1]]) xs)

entry branches [n] [m] (xss: [n][m]i32) (bs: [n]bool) =
  ( map2 (\xs b -> if b then i32.sum xs else i32.product xs) xss bs
  , map2 (\xs b -> if b then scan (+) 0 xs else xs) xss bs)

entry matrix_of_products [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
