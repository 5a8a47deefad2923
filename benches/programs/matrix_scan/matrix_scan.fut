-- The scan of products of matrices of four rows and columns.
-- ==
-- random input { [20000][4][4]f32 }
-- input { [[[1f32, 1f32, 0f32, 0f32], [0f32, 1f32, 0f32, 0f32], [0f32, 0f32, 1f32, 0f32], [0f32, 0f32, 0f32, 1f32]], [[1f32, 0f32, 0f32, 0f32], [1f32, 1f32, 0f32, 0f32], [0f32, 0f32, 1f32, 0f32], [0f32, 0f32, 0f32, 1f32]]] }
-- output { [[[0.5f32, 0.5f32, 0f32, 0f32], [0f32, 1f32, 0f32, 0f32], [0f32, 0f32, 1f32, 0f32], [0f32, 0f32, 0f32, 1f32]], [[0.75f32, 0.25f32, 0f32, 0f32], [0.5f32, 0.5f32, 0f32, 0f32], [0f32, 0f32, 1f32, 0f32], [0f32, 0f32, 0f32, 1f32]]] }

def product (a: [4][4]f32) (b: [4][4]f32) : [4][4]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

entry main [n] (ms: [n][4][4]f32) : [n][4][4]f32 =
  let identity = tabulate_2d 4 4 (\i j -> f32.bool (i == j))
  -- Rows add up to one, so that products neither grow nor vanish.
  let small = map (map (\row -> let s = f32.sum row in map (/ s) row)) ms
  in scan product identity small
