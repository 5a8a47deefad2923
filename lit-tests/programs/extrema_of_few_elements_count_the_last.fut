-- Extrema in loops of as many rounds as a vector has elements, and one.
-- ==
-- entry: five
-- input { 10f64 } output { 10f64 }

-- ==
-- entry: numbers
-- input { 1f64 } output { 1f64 [2f64, 3f64, 4f64, 5f64, 8f64, 9f64, 13f64, 17f64, 33f64] }
-- input { -1f64 } output { -1f64 [-1f64, -1f64, -1f64, -1f64, -1f64, -1f64, -1f64, -1f64, -1f64] }

-- ==
-- entry: small
-- input { 1f32 } output { [5f32, 9f32, 17f32, 33f32] [5f32, 9f32, 17f32, 33f32] }

entry five (x: f64) : f64 =
  reduce f64.max (-f64.inf) (scatter [-f64.inf, 0.5, 3.25, 3.25, x] (map (+ 1) (iota 2i64)) (replicate 2i64 1.0f64))
def largest (n: i64) (x: f64) : f64 =
  let xs = tabulate n (\i -> x * f64.i64 (i + 1))
  in reduce f64.max (-f64.inf) (scatter xs (map (+ 1) (iota 0)) [])
entry numbers (x: f64) : (f64, [9]f64) =
  (largest 1 x, [largest 2 x, largest 3 x, largest 4 x, largest 5 x, largest 8 x, largest 9 x, largest 13 x, largest 17 x, largest 33 x])
def most (n: i64) (x: f32) : (f32, f32) =
  let xs = scatter (tabulate n (\i -> x * f32.i64 (i + 1))) (map (+ 1) (iota 0)) []
  in (f32.maximum xs, - f32.minimum (map f32.neg xs))
entry small (x: f32) : ([4]f32, [4]f32) =
  unzip [most 5 x, most 9 x, most 17 x, most 33 x]
