-- The second-order combinators besides map and reduce, over scalars, tuples and rows.
-- ==
-- entry: scans
-- input { [1, 2, 3, 4] } output { [1, 3, 6, 10] [[1, 1], [3, 2], [6, 3], [10, 4]] }

-- ==
-- entry: scattered
-- input { [0i64, 5i64, 2i64, -1i64] [10, 20, 30, 40] } output { [10, 0, 30, 0] [[10, 10], [0, 0], [30, 30]] }

-- ==
-- entry: histograms
-- input { [0i64, 1i64, 0i64, 7i64] [1, 2, 3, 4] } output { [4, 2] [[2, 4], [1, 2]] }

-- ==
-- entry: segmented
-- input { [true, false, true, false, false] [1, 2, 3, 4, 5] } output { [1, 3, 3, 7, 12] }

entry scans [n] (xs: [n]i32) : ([n]i32, [n][2]i32) =
  (scan (+) 0 xs, scan (map2 (+)) [0, 0] (map (\x -> [x, 1]) xs))

entry scattered [n] (is: [n]i64) (xs: [n]i32) : ([4]i32, [3][2]i32) =
  (scatter (replicate 4 0) is xs, scatter (replicate 3 [0, 0]) is (map (\x -> [x, x]) xs))

entry histograms [n] (is: [n]i64) (xs: [n]i32) : ([2]i32, [2][2]i32) =
  ( reduce_by_index (replicate 2 0) (+) 0 is xs
  , reduce_by_index (replicate 2 [0, 0]) (map2 (+)) [0, 0] is (map (\x -> [1, x]) xs)
  )

entry segmented [n] (flags: [n]bool) (xs: [n]i32) : [n]i32 =
  map (.1) (scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0) (zip flags xs))
