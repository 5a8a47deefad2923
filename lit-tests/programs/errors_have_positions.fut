-- What goes wrong at run time is said with its position.
-- ==
-- entry: index
-- input { [1, 2, 3] 2i64 } output { 3 }
-- input { [1, 2, 3] 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] -1i64 } error: errors_have_positions.fut:[0-9]+:[0-9]+

-- ==
-- entry: slice
-- input { [1, 2, 3] 1i64 3i64 } output { [2, 3] }
-- input { [1, 2, 3] 2i64 4i64 } error: out of bounds

-- ==
-- entry: coerce
-- input { [1, 2] 2i64 } output { [1, 2] }
-- input { [1, 2] 3i64 } error: errors_have_positions

-- ==
-- entry: asserted
-- input { 1 } output { 1 }
-- input { 0 } error: x > 0

-- ==
-- entry: negative
-- input { 2i64 } output { [0i64, 1i64] }
-- input { -1i64 } error: errors_have_positions

entry index [n] (xs: [n]i32) (i: i64) : i32 = xs[i]

entry slice [n] (xs: [n]i32) (i: i64) (j: i64) : []i32 = xs[i:j]

entry coerce [n] (xs: [n]i32) (k: i64) : []i32 = xs :> [k]i32

entry asserted (x: i32) : i32 = assert (x > 0) x

entry negative (n: i64) : []i64 = iota n
