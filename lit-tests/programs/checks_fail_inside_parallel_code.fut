-- Errors of single elements end the program as any other does.
-- ==
-- entry: index
-- input { [10, 20, 30] [2i64, 0i64] } output { [30, 10] }
-- input { [10, 20, 30] [2i64, 3i64] } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { empty([0]i32) [0i64] } error: out of bounds
-- input { empty([0]i32) empty([0]i64) } output { empty([0]i32) }

-- ==
-- entry: division
-- input { [10, 20] [2, 5] } output { [5, 4] [1i32] }
-- input { [10, 20] [2, 0] } error: division by zero

-- ==
-- entry: sizes
-- input { [2i64, 3i64] } output { [1i64, 3i64] }
-- input { [2i64, -3i64] } error: checks_fail_inside_parallel_code

-- ==
-- entry: assertion
-- input { [1, 2, 3] } output { 6 }
-- input { [1, -2, 3] } error: x > 0

-- ==
-- entry: deep
-- input { [[1, 2], [3, 4]] [[0i64, 1i64], [1i64, 0i64]] } output { [[1, 2], [4, 3]] }
-- input { [[1, 2], [3, 4]] [[0i64, 1i64], [1i64, -1i64]] } error: Index \[-1\] out of bounds for array of shape \[2\]

-- ==
-- entry: in_operator
-- input { [3i64, 1i64, 2i64] } output { [3i64, 1i64, 1i64] }
-- input { [3i64, 1i64, 9i64] } error: out of bounds

-- ==
-- entry: not_reached
-- input { [1, 2, 3] 7i64 false } output { 0 }
-- input { [1, 2, 3] 1i64 true } output { 2 }
-- input { [1, 2, 3] 7i64 true } error: out of bounds

entry index [n] [m] (xs: [n]i32) (is: [m]i64) : [m]i32 = map (\i -> xs[i]) is

entry division [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [1]i32) =
  (map2 (/) xs ys, [xs[0] / 10])

entry sizes [n] (ns: [n]i64) : [n]i64 = map (\k -> i64.sum (iota k)) ns

entry assertion [n] (xs: [n]i32) : i32 = i32.sum (map (\x -> assert (x > 0) x) xs)

entry deep [n] [m] (xss: [n][m]i32) (iss: [n][m]i64) : [n][m]i32 =
  map2 (\xs is -> map (\i -> xs[i]) is) xss iss

-- The operator of this scan looks into a table.
entry in_operator [n] (xs: [n]i64) : [n]i64 =
  let table = [0i64, 1, 2, 3]
  in scan (\a b -> i64.min table[a] table[b]) 3 xs

entry not_reached [n] (xs: [n]i32) (i: i64) (b: bool) : i32 =
  let x = if b then xs[i] else 0
  in x
