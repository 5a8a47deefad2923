-- The values of a polynomial at many points, by Horner's rule.
-- ==
-- random input { [32]f32 [2000000]f32 }
-- input { [1f32, 0f32, 2f32] [0f32, 1f32, -3f32] }
-- output { [1f32, 3f32, 19f32] }

def horner [k] (coefficients: [k]f32) (x: f32) : f32 =
  foldr (\c value -> c + x * value) 0 coefficients

entry main [k] [n] (coefficients: [k]f32) (xs: [n]f32) : [n]f32 =
  map (horner coefficients) xs
