-- `while` loops whose condition compares a counter with what stays the same run as often as they say.
-- ==
-- entry: up
-- input { [3i64, 0i64, -2i64, 5i64] } output { [3i64, 0i64, 0i64, 10i64] [3i64, 0i64, 0i64, 5i64] }
-- entry: small
-- input { [3i8, 127i8, -128i8] } output { [3i8, 127i8, 0i8] }
-- entry: sized
-- input { 3i64 } output { [7i64, 7i64, 7i64] }

entry up (ns: []i64) =
  unzip (map (\n -> loop (s, i) = (0, 0) while i < n do (s + i, i + 1)) ns)

entry small (ns: []i8) = map (\n -> (loop (i, s) = (0i8, 0i32) while i < n do (i + 1, s + 1)).0) ns

entry sized (n: i64) : []i64 =
  (loop (xs, i) = ([], 0) while i < n do (replicate (i + 1) 7, i + 1)).0
