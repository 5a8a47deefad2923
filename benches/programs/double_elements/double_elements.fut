-- Twice each element of a large array.
-- ==
-- random input { [5000000]i64 }
-- input { [1i64, 2i64, 3i64] }
-- output { [2i64, 4i64, 6i64] }

entry main [n] (xs: [n]i64) : [n]i64 = map (* 2) xs
