-- Indexes made of counters: those that fit are read without being asked, and the first one too far is told.
-- ==
-- entry: chunks
-- input { 4i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }
-- output { [6, 15, 24, 10] }
-- input { 3i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }
-- output { [10, 26, 19] }
-- input { 0i64 empty([0]i32) }
-- output { empty([0]i32) }

entry chunks [n] (c: i64) (xs: [n]i32) : [c]i32 =
  let size = (n + c - 1) / i64.max 1 c
  in tabulate c (\k ->
       loop s = 0 for i < i64.max 0 (i64.min size (n - k * size)) do s + xs[k * size + i])

-- ==
-- entry: pairs
-- input { [1, 2, 3, 4, 5] }
-- output { [2, 12] }

entry pairs [n] (xs: [n]i32) = tabulate (n / 2) (\i -> xs[2 * i] * xs[2 * i + 1])

-- ==
-- entry: triples
-- input { [1, 2, 3, 4, 5, 6] }
-- error: Index \[6\] out of bounds for array of shape \[6\]

entry triples [n] (xs: [n]i32) = tabulate (n / 2) (\i -> xs[2 * i] * xs[2 * i + 2])

-- ==
-- entry: search
-- input { [1, 3, 5, 7] [0, 1, 2, 7, 8] }
-- output { [0i64, 0i64, 1i64, 3i64, 4i64] }
-- input { empty([0]i32) [1] }
-- output { [0i64] }

entry search [n] [m] (xs: [n]i32) (ks: [m]i32) : [m]i64 =
  let find k =
    (loop (lo, hi) = (0, n) while lo < hi do
       let mid = lo + (hi - lo) / 2
       in if xs[mid] < k then (mid + 1, hi) else (lo, mid)).0
  in map find ks

-- ==
-- entry: search_too_far
-- input { [1, 3, 5, 7] [0, 1, 2] }
-- output { [0i64, 0i64, 1i64] }
-- input { [1, 3, 5, 7] [8] }
-- error: Index \[4\] out of bounds for array of shape \[4\]

entry search_too_far [n] [m] (xs: [n]i32) (ks: [m]i32) : [m]i64 =
  let find k =
    (loop (lo, hi) = (0, n + 1) while lo < hi do
       let mid = lo + (hi - lo) / 2
       in if xs[mid] < k then (mid + 1, hi) else (lo, mid)).0
  in map find ks

-- ==
-- entry: insertion
-- input { [3, 1, 2, 5, 4] }
-- output { [1, 2, 3, 4, 5] }

entry insertion [n] (xs: [n]i32) : [n]i32 =
  loop xs = copy xs for i in 1..<n do
    (loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] > xs[j] do
       let x = xs[j]
       let xs[j] = xs[j - 1]
       let xs[j - 1] = x
       in (xs, j - 1)).0

-- ==
-- entry: steps
-- input { 2i64 [1, 2, 3, 4, 5] }
-- output { 9 }
-- input { 4611686018427387904i64 [1, 2, 3, 4, 5] }
-- output { 1 }
-- input { 9223372036854775807i64 [1, 2, 3, 4, 5] }
-- output { 1 }

entry steps [n] (by: i64) (xs: [n]i32) : i32 =
  (loop (s, i) = (0, 0) while i >= 0 && i < n do (s + xs[i], i + by)).0

-- ==
-- entry: windows
-- input { 2i64 [1, 2, 3, 4] }
-- output { [3, 5, 7] }
-- input { 4i64 [1, 2, 3, 4] }
-- output { [10] }

entry windows [n] (m: i64) (xs: [n]i32) : []i32 =
  tabulate (n - m + 1) (\i -> loop s = 0 for j < m do s + xs[i + j])

-- ==
-- entry: windows_too_far
-- input { 2i64 [1, 2, 3, 4] }
-- error: Index \[4\] out of bounds for array of shape \[4\]

entry windows_too_far [n] (m: i64) (xs: [n]i32) : []i32 =
  tabulate (n - m + 1) (\i -> loop s = 0 for j < m + 1 do s + xs[i + j])

-- ==
-- entry: between
-- input { 1i64 9i64 [1, 2, 3, 4] }
-- output { 9 }
-- input { -3i64 2i64 [1, 2, 3, 4] }
-- output { 3 }
-- input { 3i64 -9223372036854775807i64 [1, 2, 3, 4] }
-- error: is invalid

entry between [n] (from: i64) (to: i64) (xs: [n]i32) : i32 =
  loop s = 0 for i in i64.max 0 from..<i64.min n to do s + xs[i]
