-- What is reduced while it is stored goes in pieces of its range, wherever these end.
-- ==
-- entry: banded
-- input { 2i64 [1, 2, 3, 4, 5, 6, 7] } output { [0, 0, 6, 10, 16, 0, 0] 16 4i64 }
-- input { 0i64 [1, -2, 3] } output { [2, 2, 12] 12 2i64 }
-- input { 4i64 [1, 2, 3] } output { [0, 0, 0] 0 2i64 }
-- input { 1i64 empty([0]i32) } output { empty([0]i32) -2147483648 -1i64 }
-- input { -1i64 [1, 2, 3] } error: Index \[-1\] out of bounds for array of shape \[3\]

-- ==
-- entry: triangle
-- input { 3i64 5i64 } output { 6i64 }
-- input { 7i64 4i64 } output { 9i64 }
-- input { 40i64 33i64 } output { 222i64 }
-- input { 0i64 4i64 } output { 0i64 }

-- The largest, with the last place where it is.
entry banded [n] (k: i64) (xs: [n]i32) : ([n]i32, i32, i64) =
  let ys = tabulate n (\i -> if i < k || i >= n - k then 0 else xs[i - k] * xs[i - k] + xs[i + k])
  let later (a, i) (b, j) = if b >= a then (b, j) else (a, i: i64)
  let (y, at) = reduce later (i32.lowest, -1) (zip ys (iota n))
  in (ys, y, at)

-- Sums of rows that end before, at, or after their range.
entry triangle (n: i64) (m: i64) : i64 =
  let row = replicate m 0
  let (_, total) =
    loop (row, total) = (row, 0) for i < n do
      let next = tabulate m (\j -> if j > i || j > m - i then 0 else row[j] + j + 1)
      in (next, total + i64.sum (map (\x -> x % 3) next))
  in total
