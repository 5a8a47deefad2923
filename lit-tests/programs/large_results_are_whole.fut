-- Results too large for the caches, which may be written past them: maps of one and of two
-- dimensions, of several results, and scans.
-- ==
-- entry: mapped scanned
-- input { 2100003i64 } output { true }

-- ==
-- entry: in_rows
-- input { 2056i64 1024i64 } output { true }
-- input { 2049i64 1027i64 } output { true }

entry mapped (n: i64) : bool =
  let (xs, ys) = unzip (map (\i -> (i * 3, i32.i64 i)) (iota n))
  -- Read in another order, so that the arrays are made.
  in and (map (\i -> let j = n - 1 - i in xs[j] == j * 3 && ys[j] == i32.i64 j) (iota n))

entry scanned (n: i64) : bool =
  let xs = scan (+) 0 (map (% 7) (iota n))
  in and (map (\i -> let j = n - 1 - i
                     in xs[j] - (if j == 0 then 0 else xs[j - 1]) == j % 7) (iota n))

entry in_rows (n: i64) (m: i64) : bool =
  let a = tabulate_2d n m (\i j -> i * m + j)
  in and (map (\k -> let j = n * m - 1 - k in a[j / m, j % m] == j) (iota (n * m)))
