-- Matrix multiplication as it is written in Futhark: every element is the inner product of a
-- row and a column.
-- ==
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [[1f32, 0f32, 2f32], [0f32, 1f32, 3f32]] }
-- output { [[1f32, 2f32, 8f32], [3f32, 4f32, 18f32], [5f32, 6f32, 28f32]] }
-- input { empty([0][3]f32) [[1f32], [2f32], [3f32]] }
-- output { empty([0][1]f32) }
-- compiled random input { [64][48]f32 [48][32]f32 } auto output

def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  f32.sum (map2 (*) xs ys)

entry main [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (dot row) (transpose b)) a
