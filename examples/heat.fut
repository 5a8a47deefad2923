-- Heat flow on a square plate whose rim is held at its temperature: a five-point stencil.
-- ==
-- input { 10i32 [[100f32,100f32,100f32,100f32],[0f32,0f32,0f32,0f32],[0f32,0f32,0f32,0f32],[0f32,0f32,0f32,50f32]] }
-- output @ data/heat.out

def step [n] [m] (t: [n][m]f32) : [n][m]f32 =
  let cell i j =
    if i == 0 || i == n - 1 || j == 0 || j == m - 1
    then t[i, j]
    else t[i, j] + 0.2 * (t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1] - 4 * t[i, j])
  in tabulate_2d n m cell

entry main [n] [m] (steps: i32) (t: [n][m]f32) : [n][m]f32 =
  loop t for _i < steps do step t
