-- A loop that accumulates minima and maxima of floats of different types; what is no number is left out.
-- ==
-- entry: two
-- input { [3f32, 1f32, f32.nan, 2f32] [1f64, 5f64, 7f64, f64.nan] } output { 1f32 7f64 }
-- input { empty([0]f32) empty([0]f64) } output { f32.inf -f64.inf }

-- ==
-- entry: many
-- input { 1000i64 } output { -499f32 500f64 -499f16 1f32 }
-- input { 3i64 } output { -1f32 1f64 -1f16 1f32 }
entry two [n] (xs: [n]f32) (ys: [n]f64) : (f32, f64) =
  reduce_comm (\(a, b) (c, d) -> (f32.min a c, f64.max b d)) (f32.inf, -f64.inf) (zip xs ys)

entry many (n: i64) : (f32, f64, f16, f32) =
  let x i = if i % 7 == 3 then f64.nan else f64.i64 (i % 2 * 2 - 1) * f64.i64 ((i + 1) / 2)
  in loop (a, b, c, d) = (f32.inf, -f64.inf, f16.inf, -f32.inf)
     for i < n do
       let y = x i
       in (f32.min a (f32.f64 y), f64.max y b, f16.min (f16.f64 y) c, f32.max d (f32.i64 (i % 2)))
