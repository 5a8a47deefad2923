-- Rows of fewer points than vectors have lanes: the first point that fails is told, and what lies behind the last point is neither read nor written.
-- ==
-- entry: reads
-- input { [[1i64, 0i64, 2i64]] [3f32, 5f32, 7f32] } output { [[40f32, 24f32, 56f32]] }
-- input { [[1i64, 3i64, 9i64]] [3f32, 5f32, 7f32] } error: Index \[3\] out of bounds
-- input { [[1i64, 0i64], [2i64, -1i64]] [3f32, 5f32, 7f32] } error: Index \[-1\] out of bounds
-- input { [[2i64]] [3f32, 5f32, 7f32] } output { [[56f32]] }
-- input { empty([2][0]i64) [3f32] } output { empty([2][0]f32) }
entry reads [n] [m] [k] (at: [n][m]i64) (xs: [k]f32) : [n][m]f32 =
  map (map (\i -> loop s = xs[i] for _j < 3 do s + s)) at

-- ==
-- entry: in_place
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] } output { [[15f32, 23f32, 31f32], [39f32, 47f32, 55f32]] }
entry in_place [n] [m] (xs: *[n][m]f32) : *[n][m]f32 =
  loop xs for _i < 3 do map (map (\x -> 2 * x + 1 / f32.i64 (i64.max 1 n))) xs |> map (map (\x -> x - 1 / f32.i64 (i64.max 1 n) + 1))
