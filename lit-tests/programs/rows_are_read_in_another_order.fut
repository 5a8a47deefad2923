-- Nests of maps whose rows are rotated, reversed and put around: they are computed where they are read.
-- ==
-- entry: neighbours
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[17, 18, 16], [11, 12, 10]] }
-- input { [[7]] } output { [[28]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- input { empty([3][0]i32) } output { empty([3][0]i32) }

-- ==
-- entry: tabulated
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[71, 97, 114], [2, 28, 45]] }
-- input { empty([0][0]i32) } output { empty([0][0]i32) }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }

-- ==
-- entry: twice
-- input { 1i64 [[1, 2], [3, 4], [5, 6]] } output { [[8, 6], [12, 10], [4, 2]] }
-- input { -4i64 [[1, 2], [3, 4], [5, 6]] } output { [[10, 12], [2, 4], [6, 8]] }
-- input { 7i64 empty([0][2]i32) } output { empty([0][2]i32) }

-- ==
-- entry: pairs
-- input { [1, 2, 3, 4] } output { [49, 6, 23, 22] }

-- ==
-- entry: unread
-- input { [3, 2, 1] } output { [33, 33] }
-- input { [3, 0, 1] }
-- error: division by zero

-- ==
-- entry: rim
-- input { [[1, 2], [3, 4]] } output { [[2, 2, 4, 4], [2, 2, 4, 4], [6, 6, 8, 8], [6, 6, 8, 8]] }

-- ==
-- entry: by_rows
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[2, 4, 6], [10, 12, 8], [18, 14, 16]] }

-- ==
-- entry: skipped
-- input { 2i64 [[1, 2], [3, 4]] } error: out of bounds
-- input { 0i64 [[1, 2], [3, 4]] } output { empty([2][0]i32) }

entry neighbours [n][m] (a: [n][m]i32) : [n][m]i32 =
  map4 (map4 (\b c d e -> b + c + d + e))
       (rotate 1 a) (map (rotate 1) a) (rotate (-1) (map (rotate 1) a)) (rotate 1 (map (rotate (-1)) a))

entry tabulated [n][m] (a: [n][m]i32) : [n][m]i32 =
  let up = rotate 1 (map (map (* 2)) a)
  let left = map (rotate 1) (map (map (* 3)) a)
  in tabulate_2d n m (\i j -> up[i, j] * 10 - left[i, (j + 1) % m])

entry twice [n] (k: i64) (a: [n][2]i32) : [n][2]i32 =
  rotate k (map (map (* 2)) a) |> map (rotate k)

entry pairs [n] (xs: [n]i32) : [n]i32 =
  let (ys, zs) = unzip (map (\x -> (x + 1, x * x)) xs)
  in map3 (\y z x -> y * z + x) (rotate 1 ys) (rotate (-1) zs) xs

-- An element that nobody reads fails all the same.
entry unread [n] (xs: [n]i32) : []i32 =
  let ys = map (\x -> 100 / x) xs
  in tabulate (n - 1) (\i -> ys[if i == 7 then 1 else 0])

entry rim [n][m] (a: [n][m]i32) : [][]i32 =
  let b = map (map (* 2)) a
  in tabulate_2d (n + 2) (m + 2) (\i j -> b[i64.max 0 (i64.min (n - 1) (i - 1)), i64.max 0 (i64.min (m - 1) (j - 1))])

entry by_rows [n][m] (a: [n][m]i32) : [n][m]i32 =
  map2 (\i r -> rotate i r) (iota n) (map (map (* 2)) a)

-- A row that is not there is read by no element if there are none.
entry skipped [n][m] (k: i64) (a: [n][m]i32) : [n][k]i32 =
  let b = map (map (* 2)) a
  in tabulate_2d n k (\i j -> b[i + 1, j])
