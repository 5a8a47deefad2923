-- Counts and largest weights by bin; what falls outside the bins is ignored.
-- ==
-- input { 4i64 [0i64, 3i64, 1i64, 3i64, 9i64, -1i64, 3i64] [1.5f32, 2.0f32, -1.0f32, 7.0f32, 100.0f32, 50.0f32, 3.0f32] }
-- output { [1, 1, 0, 3] [1.5f32, -1.0f32, -f32.inf, 7.0f32] }

entry main [n] (bins: i64) (where_: [n]i64) (weights: [n]f32) : ([bins]i32, [bins]f32) =
  (hist (+) 0 bins where_ (replicate n 1), hist f32.max (-f32.inf) bins where_ weights)
