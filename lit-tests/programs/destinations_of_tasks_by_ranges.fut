-- Destinations that tasks have for themselves are put together by ranges of buckets, in one and two dimensions, also of operators over
-- several values.
-- ==
-- entry: counted
-- input { 5000i64 3i64 } output { [8754i64, 7505i64, 8762i64] }
-- input { 0i64 2i64 } output { [10i64, 11i64] }
entry counted (n: i64) (k: i64) : [k]i64 =
  reduce_by_index (tabulate k (+ 10)) (+) 0 (tabulate n (\i -> i * 7 % (k + 1) - 1)) (tabulate n (% 14))

-- ==
-- entry: in_rows
-- input { 4000i64 } output { [[1339i64, 1327i64], [1336i64, 1333i64], [1326i64, 1341i64]] }
entry in_rows (n: i64) : [3][2]i64 =
  reduce_by_index_2d (tabulate_2d 3 2 (\i j -> i + j)) (+) 0 (tabulate n (\i -> (i % 3, i % 5 - 1))) (tabulate n (% 11))

-- ==
-- entry: greatest
-- input { 3000i64 } output { [1005i64, 1008i64, 1008i64, 1008i64] [2836i64, 709i64, 1718i64, 2727i64] }
entry greatest (n: i64) : ([4]i64, [4]i64) =
  let op (a, i) (b, j) = if b > a || b == a && j < i then (b, j) else (a, i)
  in unzip (reduce_by_index (replicate 4 (-1, i64.highest)) op (-1, i64.highest) (tabulate n (% 4)) (tabulate n (\i -> (i * 37 % 1009, i))))
