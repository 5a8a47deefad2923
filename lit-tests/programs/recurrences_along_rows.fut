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
