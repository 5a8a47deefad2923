-- The second reading of xs is merged with the first; the size of its rows is checked in between.
-- ==
-- entry: rows_of_a_checked_size
-- input { [1i64, 2i64] 3i64 } output { [9i64, 10i64, 11i64] [[1i64, 1i64, 1i64], [2i64, 2i64, 2i64]] }
-- input { [1i64, 2i64] 0i64 } output { empty([0]i64) empty([2][0]i64) }
-- input { [1i64, 2i64] -1i64 } error: is invalid
entry rows_of_a_checked_size [n] (xs: [n]i64) (m: i64) =
  let total = i64.sum (map (* 3) xs)
  let shifted = map (+ total) (iota m)
  let rows = map (\x -> map (\_ -> x) (iota m)) xs
  in (shifted, rows)
