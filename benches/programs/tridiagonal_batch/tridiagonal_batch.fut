-- Many tridiagonal systems of equations, each by Thomas's algorithm: elimination from the first unknown to the last,
-- and substitution backwards. The diagonals are made dominant first.
-- ==
-- random input { [2000][200]f64 [2000][200]f64 [2000][200]f64 [2000][200]f64 }
-- input { [[0f64, 1f64]] [[1f64, 2f64]] [[1f64, 0f64]] [[5f64, 6f64]] }
-- output { [[1f64, 1f64]] }
-- input { [[7f64]] [[1f64]] [[9f64]] [[8f64]] }
-- output { [[2f64]] }

def solve [n] (below: [n]f64) (diagonal: [n]f64) (above: [n]f64) (right: [n]f64) : [n]f64 =
  let (factors, values, _, _) =
    loop (factors, values, factor, value) = (replicate n 0, replicate n 0, 0, 0) for i < n do
      let pivot = 3 + diagonal[i] - (if i == 0 then 0 else below[i] * factor)
      let factor = above[i] / pivot
      let value = (right[i] - (if i == 0 then 0 else below[i] * value)) / pivot
      in (factors with [i] = factor, values with [i] = value, factor, value)
  let (xs, _) =
    loop (xs, after) = (values, 0) for k < n do
      let i = n - 1 - k
      let x = xs[i] - (if k == 0 then 0 else factors[i] * after)
      in (xs with [i] = x, x)
  in xs

entry main [m] [n] (below: [m][n]f64) (diagonal: [m][n]f64) (above: [m][n]f64) (right: [m][n]f64) : [m][n]f64 =
  map4 solve below diagonal above right
