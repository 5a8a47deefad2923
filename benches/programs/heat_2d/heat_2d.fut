-- Heat flow on a square plate whose rim keeps its temperature: Jacobi steps of a five-point stencil.
-- ==
-- random input { 20i32 [1000][1000]f32 }
-- input { 1i32 [[0f32, 0f32, 0f32], [8f32, 4f32, 8f32], [0f32, 0f32, 0f32]] }
-- output { [[0f32, 0f32, 0f32], [8f32, 4f32, 8f32], [0f32, 0f32, 0f32]] }

def step [n] [m] (t: [n][m]f32) : [n][m]f32 =
  let cell i j =
    if i == 0 || i == n - 1 || j == 0 || j == m - 1
    then t[i, j]
    else 0.25 * (t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1])
  in tabulate_2d n m cell

entry main [n] [m] (steps: i32) (t: [n][m]f32) : [n][m]f32 =
  iterate steps step t
