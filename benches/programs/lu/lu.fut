-- The LU factors of a square matrix, packed into one, without pivoting. The diagonal is first made
-- dominant, so that no pivot is small.
-- ==
-- random input { [320][320]f64 }
-- input { [[0f64, 1f64], [4f64, 1f64]] }
-- output { [[2f64, 1f64], [2f64, 1f64]] }

def dominant [n] (a: [n][n]f64) : *[n][n]f64 =
  tabulate_2d n n (\i j -> if i == j then a[i, j] + f64.i64 n else a[i, j])

def eliminate [n] (a: *[n][n]f64) (k: i64) : *[n][n]f64 =
  let factors = map (/ a[k, k]) a[k + 1:, k]
  let pivot_row = a[k, k + 1:]
  let trailing =
    map2 (\row f -> map2 (\x p -> x - f * p) row pivot_row) a[k + 1:, k + 1:] factors
  let a[k + 1:, k] = factors
  let a[k + 1:, k + 1:] = trailing
  in a

entry main [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = dominant a for k < n do eliminate a k
