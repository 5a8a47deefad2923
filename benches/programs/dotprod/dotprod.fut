-- The dot product of two vectors.
-- ==
-- random input { [10000000]f32 [10000000]f32 }
-- auto output

entry main [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  reduce (+) 0 (map2 (*) xs ys)
