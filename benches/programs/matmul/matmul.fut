-- The product of two square matrices.
-- ==
-- random input { [1024][1024]f32 [1024][1024]f32 }
-- auto output

entry main [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose b)) a
