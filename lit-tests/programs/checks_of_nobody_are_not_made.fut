-- A check in a map over nothing does not fail, wherever it is made.
-- ==
-- entry: columns
-- input { [[1i64, 2i64], [3i64, 4i64]] [10i64, 20i64] } output { [70i64, 100i64] }
-- input { [[1i64, 2i64], [3i64, 4i64]] [10i64, 20i64, 30i64] } output { [70i64, 100i64] }
-- input { [[1i64, 2i64], [3i64, 4i64]] [10i64] } error: out of bounds
-- input { empty([2][0]i64) [10i64] } output { empty([0]i64) }

-- ==
-- entry: inner
-- input { 2i64 3i64 [1i64] } error: out of bounds
-- input { 0i64 3i64 [1i64] } output { empty([0][3]i64) }
-- input { 2i64 0i64 [1i64] } output { empty([2][0]i64) }
-- input { 1i64 2i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { [[6i64, 7i64]] }

entry columns [n] [m] [p] (a: [n][p]i64) (x: [m]i64) : [p]i64 =
  map (\c -> i64.sum (map2 (*) c x[:n])) (transpose a)

entry inner [k] (n: i64) (m: i64) (xs: [k]i64) =
  tabulate_2d n m (\i j -> xs[5] + i + j)
