-- Heat flow in a ring of cells: explicit Euler steps of a three-point stencil that wraps around.
-- ==
-- random input { 100i32 [200000]f64 }
-- input { 2i32 [0f64, 0f64, 16f64, 0f64, 0f64] }
-- output { [1f64, 4f64, 6f64, 4f64, 1f64] }

def step [n] (t: [n]f64) : [n]f64 =
  map3 (\left here right -> here + 0.25 * (left - 2 * here + right)) (rotate (-1) t) t (rotate 1 t)

entry main [n] (steps: i32) (t: [n]f64) : [n]f64 =
  iterate steps step t
