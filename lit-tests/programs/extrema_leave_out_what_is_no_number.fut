-- Of a number and one that is none, the number is the lesser and the greater: by vectors and one at a time.
-- ==
-- entry: many
-- input { [f32.nan, 1f32, f32.nan, -2f32, 3f32, f32.inf, -f32.inf, 7f32, f32.nan, 2f32, 1f32]
--         [1f32, f32.nan, f32.nan, 4f32, -5f32, 0f32, f32.nan, f32.nan, 9f32, 2f32, 1.5f32] }
-- output { [1f32, 1f32, f32.nan, -2f32, -5f32, 0f32, -f32.inf, 7f32, 9f32, 2f32, 1f32]
--          [1f32, 1f32, f32.nan, 4f32, 3f32, f32.inf, -f32.inf, 7f32, 9f32, 2f32, 1.5f32] }
entry many [n] (xs: [n]f32) (ys: [n]f32) : ([n]f32, [n]f32) = (map2 f32.min xs ys, map2 f32.max xs ys)

-- One.
-- ==
-- entry: one
-- input { f64.nan 1f64 } output { 1f64 1f64 }
-- input { 1f64 f64.nan } output { 1f64 1f64 }
-- input { 3f64 -2f64 } output { -2f64 3f64 }
-- input { f64.nan f64.nan } output { f64.nan f64.nan }
entry one (x: f64) (y: f64) : (f64, f64) = (f64.min x y, f64.max x y)

-- All.
-- ==
-- entry: all
-- input { [f64.nan, 3f64, 1f64, f64.nan, -4f64, 1f64, 5f64, 9f64, 2f64, 6f64, f64.nan] } output { -4f64 9f64 }
entry all [n] (xs: [n]f64) : (f64, f64) = (f64.minimum xs, f64.maximum xs)
