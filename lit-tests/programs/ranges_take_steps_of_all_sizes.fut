-- Steps of ranges that are larger than the range, and than numbers are.
-- ==
-- entry: up
-- input { 0i64 9223372036854775807i64 10i64 } output { [0i64] }
-- input { 0i64 9223372036854775800i64 10i64 } output { [0i64] }
-- input { 0i64 3i64 10i64 } output { [0i64, 3i64, 6i64, 9i64] }
-- input { 0i64 5i64 10i64 } output { [0i64, 5i64] }
-- input { 7i64 9i64 7i64 } output { empty([0]i64) }
-- input { 0i64 -3i64 10i64 } error: invalid
-- input { 0i64 0i64 10i64 } error: invalid

entry up (a: i64) (b: i64) (c: i64) = a..b..<c

-- ==
-- entry: upto
-- input { 0i64 9223372036854775807i64 10i64 } output { [0i64] }
-- input { 0i64 5i64 10i64 } output { [0i64, 5i64, 10i64] }
-- input { 0i64 -5i64 -10i64 } output { [0i64, -5i64, -10i64] }
-- input { 0i64 3i64 10i64 } output { [0i64, 3i64, 6i64, 9i64] }

entry upto (a: i64) (b: i64) (c: i64) = a..b...c

-- ==
-- entry: down
-- input { 0i64 -9223372036854775808i64 -10i64 } output { [0i64] }
-- input { 0i64 -9223372036854775807i64 -10i64 } output { [0i64] }
-- input { 10i64 7i64 0i64 } output { [10i64, 7i64, 4i64, 1i64] }
-- input { 10i64 5i64 0i64 } output { [10i64, 5i64] }
-- input { 0i64 3i64 -10i64 } error: invalid

entry down (a: i64) (b: i64) (c: i64) = a..b..>c

-- ==
-- entry: large_steps
-- input { 10i64 } output { [0i64] [0i64] }

entry large_steps (n: i64) = (0..9223372036854775800..<n, 0..9223372036854775807...n)
