-- Sums of a few computed numbers each.
-- ==
-- input { 200000i64 7i64 }
-- input { 2i64 3i64 }
-- output { [3f32, 12f32] }

entry main (n: i64) (m: i64) : [n]f32 =
  map (\i -> f32.sum (map (\j -> f32.i64 (i * m + j)) (iota m))) (iota n)
