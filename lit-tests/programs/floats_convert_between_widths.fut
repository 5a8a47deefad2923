-- Narrowing rounds, overflows to infinity, and keeps NaN.
-- ==
-- entry: from_f64
-- input { [0.0f64, -0.0f64, 1.0f64, 0.1f64, 65504.0f64, 100000.0f64, 1e-08f64, -3.14159f64, f64.inf, -f64.inf, f64.nan] }
-- output {
--   [0.0f16, -0.0f16, 1.0f16, 0.0999755859375f16, 65504.0f16, f16.inf, 0.0f16, -3.140625f16, f16.inf, -f16.inf, f16.nan]
--   [0.0f32, -0.0f32, 1.0f32, 0.1f32, 65504.0f32, 100000.0f32, 1e-08f32, -3.14159f32, f32.inf, -f32.inf, f32.nan]
-- }

-- ==
-- entry: from_f16
-- input { [1.5f16, 0.0999755859375f16, 65504.0f16, f16.inf] }
-- output {
--   [1.5f32, 0.099975586f32, 65504.0f32, f32.inf]
--   [1.5f64, 0.0999755859375f64, 65504.0f64, f64.inf]
-- }

entry from_f64 [n] (xs: [n]f64) = (map f16.f64 xs, map f32.f64 xs)

entry from_f16 [n] (xs: [n]f16) = (map f32.f16 xs, map f64.f16 xs)
