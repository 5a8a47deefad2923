-- The product of a dense matrix and a vector.
-- ==
-- random input { [4096][4096]f32 [4096]f32 }
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [10f32, 1f32] }
-- output { [12f32, 34f32, 56f32] }

def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

entry main [n] [m] (a: [n][m]f32) (x: [m]f32) : [n]f32 =
  map (dot x) a
