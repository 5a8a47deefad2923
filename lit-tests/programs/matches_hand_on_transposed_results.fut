-- What a branch made is transposed, changed in a branch and copied.
-- ==
-- entry: histogram
-- input { 6i64 4i64 }
-- output { [[0f64, 0f64, 0f64, 0f64, 1f64, 1f64], [0f64, 0f64, 0f64, 0f64, 5f64, 5f64],
--           [0f64, 0f64, 0f64, 0f64, 1f64, 1f64]] }
-- entry: branch
-- input { true 2i64 } output { [[7i64, 20i64, 20i64], [20i64, 20i64, 20i64]] }
-- input { false 2i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }

entry histogram (n: i64) (m: i64) : [3][n]f64 =
  let sums =
    reduce_by_index (replicate 3 (replicate n 1)) (map2 (+)) (replicate n 0) (replicate m 1)
                    (replicate m (replicate n 1))
  in copy (transpose (scatter (transpose sums) (iota m) (replicate m (replicate 3 0))))

entry branch (c: bool) (n: i64) : [n][3]i64 =
  let xss = if c then replicate n (replicate 3 20) else tabulate_2d n 3 (\i j -> 3 * i + j)
  let columns = copy (transpose xss)
  in copy (transpose (loop columns for i < 1 do if c && n > i then columns with [0, 0] = 7 else columns))
