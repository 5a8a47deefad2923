-- Fresh arrays made, updated and returned within the bodies of maps, loops and operators.
-- ==
-- entry: rows
-- input { [1, 2, 3] } output { [[0, 1, 1], [2, 0, 2], [3, 3, 0]] }

-- ==
-- entry: sorted
-- input { [[3, 1, 2], [9, 8, 7], [1, 1, 0]] } output { [[1, 2, 3], [7, 8, 9], [0, 1, 1]] }

-- ==
-- entry: tables
-- input { 3i64 5i64 } output { [[1i64, 1i64, 2i64, 3i64, 5i64], [1i64, 2i64, 3i64, 5i64, 8i64], [1i64, 3i64, 4i64, 7i64, 11i64]] }

-- ==
-- entry: captured
-- input { [1, 2, 3] [7, 7] } output { [[1, 7], [2, 7], [3, 7]] [7, 7] }

-- ==
-- entry: scattered
-- input { [[2i64, 0i64, 1i64], [0i64, 1i64, 5i64]] } output { [[1i64, 2i64, 0i64], [0i64, 1i64, -1i64]] }

entry rows [n] (xs: [n]i32) : [n][n]i32 =
  map2 (\i x -> replicate n x with [i] = 0) (iota n) xs

def insertion_sort [n] (xs: *[n]i32) : *[n]i32 =
  loop xs for i < n do
    let (xs, _) =
      loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] > xs[j] do
        let x = xs[j]
        let y = xs[j - 1]
        in (xs with [j] = y with [j - 1] = x, j - 1)
    in xs

entry sorted [n] [m] (xss: [n][m]i32) : [n][m]i32 = map (\xs -> insertion_sort (copy xs)) xss

entry tables (n: i64) (m: i64) : [n][m]i64 =
  map (\i ->
         let t = replicate m 1 with [1] = i + 1
         in loop t for j in 2..<m do t with [j] = t[j - 1] + t[j - 2])
      (iota n)

entry captured [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n][m]i32, [m]i32) =
  (map (\x -> copy ys with [0] = x) xs, ys)

entry scattered [n] [m] (iss: [n][m]i64) : [n][m]i64 =
  map (\is -> scatter (replicate m (-1)) is (iota m)) iss
