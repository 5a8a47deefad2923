-- What moves the index of a map, or limits it, is read from an array in the map: before it, if there are points.
-- ==
-- entry: knapsack
-- input { [2i64, 3i64, 1i64] [0i32, 0i32, 0i32, 0i32, 0i32, 0i32] } output { [0i32, 7i32, 7i32, 14i32, 14i32, 14i32] }
-- input { [9i64] [1i32, 2i32] } output { [1i32, 2i32] }
-- input { [0i64] [1i32, 2i32] } output { [8i32, 9i32] }
-- input { [-1i64] [1i32, 2i32] } error: Index .2. out of bounds
-- input { [-9223372036854775808i64] [1i32, 2i32] } error: out of bounds
-- input { [1i64, 2i64] empty([0]i32) } output { empty([0]i32) }
-- input { empty([0]i64) [5i32] } output { [5i32] }

-- ==
-- entry: first
-- input { [2i64, 7i64] [1i32, 2i32, 3i32, 4i32] } output { [10i32, 20i32, 3i32, 4i32] }
-- input { empty([0]i64) empty([0]i32) } output { empty([0]i32) }
-- input { empty([0]i64) [1i32] } error: Index .0. out of bounds

-- ==
-- entry: rows
-- input { [1i64, 0i64, 3i64] [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32]] }
-- output { [[1i32, 3i32], [5i32, 6i32], [7i32, 8i32]] }

-- ==
-- entry: over_itself
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [1i64, 3i64, 4i64, 5i64, 6i64] }

entry knapsack [c] [n] (w: [n]i64) (f: [c]i32) : [c]i32 =
  loop f = copy f for i < n do
    tabulate c (\j -> if j >= w[i] then i32.max f[j] (f[j - w[i]] + 7) else f[j])

entry first [k] [n] (ks: [k]i64) (xs: [n]i32) : [n]i32 = tabulate n (\i -> if i < ks[0] then xs[i] * 10 else xs[i])

entry rows [n] [m] (columns: [n]i64) (a: [n][m]i32) : [n][]i32 =
  tabulate_2d n (m - 1) (\i j -> if j < columns[i] then a[i, j] else a[i, j + 1])

-- The array whose element is read in the map is the one that it replaces.
entry over_itself [n] (xs: *[n]i64) : [n]i64 =
  let ys = map (\x -> x) xs
  in tabulate n (\i -> if i < ys[0] then ys[i] else ys[i] + ys[0])
