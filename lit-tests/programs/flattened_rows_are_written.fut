-- What a map has several of, flattened and scattered: each where it says, or nowhere.
-- ==
-- entry: both
-- input { [0i64, 2i64, -1i64] [1i64, 7i64, 4i64] } output { [1, 0, 7, 0, -1, 0] }
-- input { empty([0]i64) empty([0]i64) } output { [0, 0, 0, 0, 0, 0] }

-- ==
-- entry: kept
-- input { [3i64, 1i64] } output { [10, 31, 30, 13] 4i64 }

-- ==
-- entry: checked
-- input { [3i64, 0i64] } output { [5, 1, 2, 7] }
-- input { [1i64, 4i64] } error: Index \[-1\] out of bounds for array of shape \[4\]

-- ==
-- entry: first
-- input { [2i64, 0i64, 1i64] } output { [-1i64, 7i64, 0i64] }

entry both [n] (is: [n]i64) (js: [n]i64) : [6]i32 =
  let (to, values) = map2 (\i j -> [(i, i32.i64 j), (j, i32.i64 i)]) is js |> flatten |> unzip
  in scatter (replicate 6 0) to values

-- The rows are used once more.
entry kept [n] (is: [n]i64) : ([4]i32, i64) =
  let rows = map (\i -> [(i, 10 + i32.i64 i), (3 - i, 10 * (4 - i32.i64 i))]) is
  let (to, values) = unzip (flatten rows)
  in (scatter (replicate 4 0) to (map2 (\t v -> if t == 1 then 31 else v) to values), length to)

-- What is read may be what is written to.
entry checked (is: [2]i64) : [4]i32 =
  let table = [7, 1, 2, 5]
  let (to, values) = unzip (flatten (map (\i -> [(i, table[3 - i]), (3 - i, table[i])]) is))
  in scatter table to values

-- Only some of them are written.
entry first (is: [3]i64) : [3]i64 =
  let (to, values) = unzip (flatten (map2 (\i k -> [(i, k * 10), (k + 1, i + 5)]) is (iota 3)))
  in scatter (replicate 3 (-1)) (take 2 to) (take 2 values)
