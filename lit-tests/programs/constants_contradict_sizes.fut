-- Sizes that callers pass as constants contradict what a coercion says, or agree with it by
-- arithmetic. The check fails when it is reached, and the program compiles.
-- ==
-- entry: contradicts
-- input { 1i64 [[1f64, 2, 3], [4, 5, 6]] } error: cannot match shape

-- ==
-- entry: sums
-- input { 5i64 3i64 4i64 } output { 78i64 }
-- input { 5i64 3i64 5i64 } error: cannot match shape

-- ==
-- entry: products
-- input { [[1i64, 2], [3, 4], [5, 6]] [[1i64, 2, 3], [4, 5, 6]] } output { [2i64, 4, 6, 8, 10, 12] }
-- input { [[1i64, 2], [3, 4]] [[1i64, 2, 3], [4, 5, 6]] } error: cannot match shape

def prefixes (n: i64) (rows: [][3]f64) : []f64 =
  map (\r -> map2 (+) (r :> [n]f64) (map f64.i64 (iota n)) |> scan (+) 0 |> f64.sum) rows

entry contradicts (k: i64) (rows: [][3]f64) = map (* f64.i64 k) (prefixes 8 rows)

entry sums (n: i64) (m: i64) (k: i64) : i64 =
  let xs = iota (2 * n + m)
  in map2 (*) (xs :> [k + 2 * n - 1]i64) (replicate (k + 2 * n - 1) 1) |> i64.sum

entry products [n] [m] [k] (xs: [n][m]i64) (ys: [m][k]i64) : [n * m]i64 =
  map2 (+) (flatten xs) (flatten ys :> [n * m]i64)
