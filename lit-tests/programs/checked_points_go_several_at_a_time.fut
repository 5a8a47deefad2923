-- Points that may fail, of which some are computed in one round of a loop: as many as fill rounds, fewer
-- and more, and the first that fails is the one reported.
-- ==
-- entry: gather total
-- input { [10i64, 20i64, 30i64] [2i64, 1i64, 0i64, 0i64, 1i64, 2i64, 2i64, 1i64, 0i64, 1i64, 1i64] }
-- input { [10i64, 20i64, 30i64] [2i64, 1i64, 0i64, 0i64, 1i64, 2i64, 2i64, 3i64, -1i64, 1i64, 1i64] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [10i64, 20i64, 30i64] [2i64, 1i64, 0i64, 0i64, 1i64, 2i64, 2i64, 1i64, 0i64, -1i64, 3i64] }
-- error: Index \[-1\] out of bounds for array of shape \[3\]
-- input { empty([0]i64) [0i64] }
-- error: Index \[0\] out of bounds for array of shape \[0\]
-- input { [1i64] [-9223372036854775808i64] }
-- error: Index \[-9223372036854775808\] out of bounds for array of shape \[1\]
-- input { empty([0]i64) empty([0]i64) }

-- ==
-- entry: check
-- input { [10i64, 20i64, 30i64] [2i64, 1i64, 0i64, 0i64, 1i64, 2i64, 2i64, 1i64, 0i64, 1i64, 1i64] }
-- output { [30i64, 20i64, 10i64, 10i64, 20i64, 30i64, 30i64, 20i64, 10i64, 20i64, 20i64] 220i64 }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i64) 0i64 }

entry gather [n] [m] (xs: [n]i64) (is: [m]i64) : [m]i64 = map (\i -> xs[i]) is

entry total [n] [m] (xs: [n]i64) (is: [m]i64) : i64 = i64.sum (map (\i -> xs[i]) is)

entry check [n] [m] (xs: [n]i64) (is: [m]i64) : ([m]i64, i64) = (gather xs is, total xs is)
