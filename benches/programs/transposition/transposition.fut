-- The transpose of a matrix, in memory.
-- ==
-- random input { [3000][2000]f32 }
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] }
-- output { [[1f32, 4f32], [2f32, 5f32], [3f32, 6f32]] }

entry main [n] [m] (a: [n][m]f32) : [m][n]f32 = copy (transpose a)
