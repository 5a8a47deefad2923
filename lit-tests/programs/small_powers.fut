-- Squares, cubes and fourth powers are products, also of special numbers and where a square overflows or comes to nothing.
-- ==
-- entry: doubles
-- input { [0.0, -0.0, 1.5, -2.0, 1e200, -1e110, 1e-200, f64.inf, -f64.inf, f64.nan] }
-- output {
--   [[0.0, 0.0, 2.25, 4.0, f64.inf, 1e220, 0.0, f64.inf, f64.inf, f64.nan],
--    [0.0, -0.0, 3.375, -8.0, f64.inf, -f64.inf, 0.0, f64.inf, -f64.inf, f64.nan],
--    [0.0, 0.0, 5.0625, 16.0, f64.inf, f64.inf, 0.0, f64.inf, f64.inf, f64.nan]] }

-- ==
-- entry: singles
-- input { [0.5f32, -3f32, 1e20f32, 1e-13f32, -1e-13f32, 1e-25f32] }
-- output {
--   [[0.25f32, 9f32, f32.inf, 1e-26f32, 1e-26f32, 0f32],
--    [0.125f32, -27f32, f32.inf, 1e-39f32, -1e-39f32, 0f32],
--    [0.0625f32, 81f32, f32.inf, 0f32, 0f32, 0f32]] }

-- ==
-- entry: halves
-- input { [0.5f16, -3f16, 300f16] }
-- output { [[0.25f16, 9f16, f16.inf], [0.125f16, -27f16, f16.inf], [0.0625f16, 81f16, f16.inf]] }

entry doubles (xs: []f64) : [][]f64 = [map (** 2) xs, map (** 3) xs, map (** 4) xs]

entry singles (xs: []f32) : [][]f32 = [map (** 2) xs, map (** 3) xs, map (** 4) xs]

entry halves (xs: []f16) : [][]f16 = [map (** 2) xs, map (** 3) xs, map (** 4) xs]
