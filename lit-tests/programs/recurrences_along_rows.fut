-- Recurrences along rows, in strips and point by point, with elements at the border that are read besides.

-- ==
-- entry: border
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [[2f32, 0f32, 3f32], [8f32, -27f32, -358.5f32]] }
-- compiled random input { [37][50]f32 }
-- compiled random input { [64][1]f32 }
-- compiled random input { [40][0]f32 }
entry border [m] [n] (u: [m][n]f32) : [m][n]f32 =
  map (\d ->
    loop x = replicate n 0 for i < n do
      if i == 0 then x with [0] = d[0] * 2 else x with [i] = d[i] - 0.5 * x[i - 1] * x[i - 1])
    u

-- ==
-- entry: totals
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [285i64, 1020i64] [6i64, 30i64] }
-- compiled random input { [100][33]i64 }
entry totals [m] [n] (u: [m][n]i64) : ([m]i64, [m]i64) =
  unzip (map (\d -> (loop s = 0 for i < n do (d[i] + s) * (7 - i) + d[n - 1] * 0, d[n - 1] * d[1])) u)

-- A row that is reversed has a size of its own, which is asserted to be that of the row.
-- ==
-- entry: reversed
-- input { [[1f64, 2f64], [3f64, 4f64]] [[5f64, 6f64], [7f64, 8f64]] }
-- output { [[6f64, 5f64], [8f64, 7f64]] [5f64, 25f64] }
-- compiled random input { [20][9]f64 [20][9]f64 }
entry reversed [m] [n] (xss: [m][n]f64) (yss: [m][n]f64) : ([m][n]f64, [m]f64) =
  unzip (map2 (\d e ->
    let (b, s) = loop (b, s) = (d, 0) for i < n do (b, s + d[i] * b[i])
    in (map2 (\p _ -> p) (reverse e) b, s)) xss yss)
