-- NaN, infinities and signed zeros in comparisons, arithmetic, extremes and predicates.
-- ==
-- entry: compared
-- input { [f32.nan, f32.nan, 0.0f32, f32.inf, 1.0f32] [f32.nan, 1.0f32, -0.0f32, f32.inf, f32.nan] }
-- output {
--   [false, false, true, true, false] [true, true, false, false, true]
--   [false, false, false, false, false] [false, false, true, true, false]
-- }

-- ==
-- entry: predicates
-- input { [f64.nan, f64.inf, -f64.inf, 0.0f64] } output { [true, false, false, false] [false, true, true, false] }

-- ==
-- entry: arithmetic
-- input { 0.0f64 } output { f64.inf -f64.inf f64.nan f64.nan 0x8000000000000000u64 f64.inf f64.nan 1.0f64 }

-- ==
-- entry: extremes
-- input { [2.0f32, f32.nan, 1.0f32] } output { 1.0f32 2.0f32 f32.inf -f32.inf }

-- ==
-- entry: rounded
-- input { [0.5f64, 1.5f64, 2.5f64, -0.5f64, -1.5f64, 4503599627370497.5f64] }
-- output { [0.0f64, 2.0f64, 2.0f64, -0.0f64, -2.0f64, 4503599627370498.0f64] }

-- ==
-- entry: halves
-- input { 60000f16 0.0001f16 } output { f16.inf 1.0e-8f32 6.0e-8f16 2048.0f16 }

entry compared [n] (xs: [n]f32) (ys: [n]f32) =
  (map2 (==) xs ys, map2 (!=) xs ys, map2 (<) xs ys, map2 (<=) xs ys)

entry predicates [n] (xs: [n]f64) = (map f64.isnan xs, map f64.isinf xs)

entry arithmetic (z: f64) =
  ( 1 / z, -1 / z, z / z, f64.inf - f64.inf, f64.to_bits (-z), f64.exp 1000, f64.sqrt (-1)
  , f64.nan ** 0)

-- The least of a number and NaN is the number.
entry extremes [n] (xs: [n]f32) =
  (f32.minimum xs, f32.maximum xs, f32.minimum (take 0 xs), f32.maximum (take 0 xs))

entry rounded [n] (xs: [n]f64) = map f64.round xs

-- Arithmetic of f16 rounds and overflows as its own width does.
entry halves (big: f16) (small: f16) =
  ( big + big, f32.f16 small * f32.f16 small, f16.from_bits 1, 2048 + 1 * f16.sgn big)
