-- A map that is summed up and kept, of which points may fail: by lanes where there are enough of them. The point that fails first
-- is told, and points that are left over are summed up once.
-- ==
-- entry: kept
-- input { [1i64, 2i64, 3i64] [0i64, 1i64, 2i64] } output { 25i64 [6i64, 6i64, 13i64] }
-- input { [1i64, 2i64, 3i64] empty([0]i64) } output { 0i64 empty([0]i64) }
-- input { [1i64, 2i64, 3i64] [2i64, 1i64, 3i64] } error: Index \[3\] out of bounds

entry kept [n] [m] (xs: [n]i64) (is: [m]i64) : (i64, [m]i64) =
  let ys = map (\i -> if i % 3 == 0 then xs[i] * 7 - 1 else xs[i / 2] * i * i + 5) is
  in (i64.sum ys, ys)

-- ==
-- entry: many
-- input { 16i64 0i64 } output { true }
-- input { 31i64 3i64 } output { true }
-- input { 1000i64 7i64 } output { true }
-- input { 1000i64 -3i64 } error: Index \[-3\] out of bounds

entry many (n: i64) (k: i64) : bool =
  let xs = tabulate (n + 8) (\i -> i * i)
  let is = tabulate n (\i -> i + k)
  let (total, ys) = kept xs is
  in total == (loop t = 0 for y in ys do t + y) && ys[n - 1] == (kept xs [n - 1 + k]).0
