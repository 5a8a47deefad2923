-- The inverse of a square matrix in its own place, by Gauss and Jordan without pivoting. The diagonal is first made
-- dominant, so that no pivot is small.
-- ==
-- random input { [400][400]f64 }
-- input { [[1f64, 2f64], [2f64, 2f64]] }
-- output { [[0.5f64, -0.25f64], [-0.25f64, 0.375f64]] }

def dominant [n] (a: [n][n]f64) : [n][n]f64 =
  tabulate_2d n n (\i j -> if i == j then a[i, j] + f64.i64 n else a[i, j])

def eliminate [n] (a: [n][n]f64) (k: i64) : [n][n]f64 =
  let element i j =
    let factor = a[i, k] / a[k, k]
    in if i == k
       then if j == k then 1 / a[k, k] else a[k, j] / a[k, k]
       else if j == k then -factor else a[i, j] - factor * a[k, j]
  in tabulate_2d n n element

entry main [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = dominant a for k < n do eliminate a k
