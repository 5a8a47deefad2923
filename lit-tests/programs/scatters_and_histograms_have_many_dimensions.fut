-- scatter_2d, scatter_3d, reduce_by_index_2d and _3d, of scalars, rows and tuples; indexes out of
-- bounds in any dimension are ignored.
-- ==
-- entry: scattered
-- input { }
-- output {
--   [[0, 10, 0], [20, 0, 0]]
--   [[[1, 1], [0, 0]], [[0, 0], [2, 2]]]
--   [[[0, 0], [0, 5]], [[6, 0], [0, 0]]]
--   [-1, 9, -1, 8]
-- }

-- ==
-- entry: histograms
-- input { [1, 2, 3, 4, 5, 6] }
-- output { [[4, 6], [8, 3]] [[[6, 0], [0, 0]], [[0, 5], [0, 0]]] [9, 5, 7] [[3, 2], [2, 2]] }

-- ==
-- entry: of_tuples
-- input { [0i64, 1i64, 0i64, 2i64, 1i64] [5, 3, 9, 1, 3] }
-- output { [9, 3, 1] [2i64, 1i64, 3i64] }

-- ==
-- entry: of_rows
-- input { [1i64, 0i64, 1i64] [[1.0f32, 2.0f32], [3.0f32, 4.0f32], [5.0f32, 6.0f32]] }
-- output { [[3.0f32, 4.0f32], [6.0f32, 8.0f32], [0.0f32, 0.0f32]] [[1.0f32, 1.3333334f32], [1.6666666f32, 2.0f32], [1.0f32, 1.0f32]] }

entry scattered =
  ( scatter_2d (replicate 2 (replicate 3 0i32)) [(0, 1), (1, 0), (2, 0), (0, 3), (-1, 0), (0, -1)]
               [10, 20, 30, 40, 50, 60]
  , scatter_2d (replicate 2 (replicate 2 [0i32, 0])) [(0, 0), (1, 1), (1, 2)]
               [[1, 1], [2, 2], [3, 3]]
  , scatter_3d (replicate 2 (replicate 2 (replicate 2 0i32)))
               [(0, 1, 1), (1, 0, 0), (0, 0, 2), (0, 2, 0), (2, 0, 0)] [5, 6, 7, 8, 9]
  , spread 4 (-1) [3, 1, 4] [8i32, 9, 7]
  )

entry histograms [n] (xs: [n]i32) =
  let k = map i64.i32 xs
  in ( reduce_by_index_2d [[0, 0], [0, 0]] (+) 0 (map (\i -> ((i / 2) % 2, i % 2)) k) xs
     , reduce_by_index_3d (replicate 2 (replicate 2 (replicate 2 0))) i32.max 0
                          (map (\i -> (i % 2, 0, i % 2)) k) xs
     , hist (+) 0 3 (map (% 3) k) xs
     , reduce_by_index_2d [[2, 2], [2, 2]] (+) 0 [(0, 0), (0, 2), (2, 0), (-1, -1)] [1i32, 7, 7, 7]
     )

entry of_tuples [n] (is: [n]i64) (xs: [n]i32) =
  let larger (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  in unzip (hist larger (i32.lowest, i64.highest) 3 is (zip xs (iota n)))

entry of_rows [n] (is: [n]i64) (xss: [n][2]f32) =
  ( hist (map2 (+)) [0, 0] 3 is xss
  , reduce_by_index (replicate 3 [1, 1]) (map2 f32.max) [0, 0] is (map (map (/ 3)) xss))
