-- Room for what a loop or branch would make is set aside before it, whatever its size would be.

-- ==
-- entry: no_rows
-- input { empty([0]i64) }
-- output { empty([0]i64) }
-- input { [1i64] }
-- output { [1i64] }
-- input { [1i64, 2i64, 4i64] }
-- output { [6i64, 1i64, -1i64] }
entry no_rows [n] (xs: [n]i64) : [n]i64 =
  map (\x -> let t = scan (+) 0 (tail xs) in if n > 1 then t[x % (n - 1)] - x + 1 else x) xs

-- ==
-- entry: no_branch
-- input { 3i64 [1i64, 2i64] }
-- output { [-1i64, 0i64] }
-- input { 9i64 [1i64, 2i64] }
-- output { [8i64, 38i64] }
entry no_branch [m] (n: i64) (xs: [m]i64) : [m]i64 =
  let k = n - 5
  in map (\x ->
            if k > 0
            then i64.maximum (rotate 1 (scan (+) 0 (replicate k x)))
                 + i64.sum (rotate 2 (scan (*) 1 (replicate k x)))
            else x + k)
         xs
