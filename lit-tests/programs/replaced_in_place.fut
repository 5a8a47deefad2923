-- Loops whose rounds make a matrix of the element at the same place, a row and a column of it.
-- ==
-- entry: paths
-- input { [[0i32, 7, 50, 2], [3, 0, 1, 50], [50, 50, 0, 1], [50, 1, 50, 0]] }
-- output { [[0i32, 3, 4, 2], [3, 0, 1, 2], [5, 2, 0, 1], [4, 1, 2, 0]] }
-- input { empty([0][0]i32) }
-- output { empty([0][0]i32) }
-- input { [[5i32]] }
-- output { [[5i32]] }

-- ==
-- entry: paths_of_given
-- input { [[0i32, 7, 50, 2], [3, 0, 1, 50], [50, 50, 0, 1], [50, 1, 50, 0]] }
-- output { [[0i32, 3, 4, 2], [3, 0, 1, 2], [5, 2, 0, 1], [4, 1, 2, 0]] [[0i32, 7, 50, 2], [3, 0, 1, 50], [50, 50, 0, 1], [50, 1, 50, 0]] }

-- ==
-- entry: paths_with_next
-- input { [[0i32, 7, 50, 2], [3, 0, 1, 50], [50, 50, 0, 1], [50, 1, 50, 0]] }
-- output { [[0i32, 3, 4, 2], [3, 0, 1, 2], [5, 2, 0, 1], [4, 1, 2, 0]] [[0i64, 3, 3, 3], [0, 1, 2, 2], [3, 3, 2, 3], [1, 1, 1, 3]] }

-- ==
-- entry: eliminate
-- input { [[2i32, 1, 1], [1, 3, 2], [1, 0, 1]] 3i64 }
-- output { [[16i32, -88, -24], [-8, 64, 24], [-4, 20, 8]] }
-- input { [[1i32, 2], [3, 4]] 3i64 }
-- error: Index \[2\] out of bounds
-- input { empty([0][5]i32) 9i64 }
-- error: Index \[0\] out of bounds
-- input { empty([0][5]i32) 0i64 }
-- output { empty([0][5]i32) }
-- input { empty([5][0]i32) 0i64 }
-- output { empty([5][0]i32) }

-- ==
-- entry: planes
-- input { [[[1i32, 2], [3, 4]], [[5, 6], [7, 8]]] 3i64 }
-- output { [[[10i32, 6], [6, 8]], [[14, 10], [10, 12]]] }
-- input { empty([2][0][3]i32) 4i64 }
-- output { empty([2][0][3]i32) }

-- ==
-- entry: outside
-- input { [[1i32, 2, 3], [4, 5, 6]] 5i64 }
-- output { [[13i32, 17, 21], [16, 20, 24]] }
-- input { [[1i32, 2, 3], [4, 5, 6]] 1i64 }
-- output { [[2i32, 4, 6], [5, 7, 9]] }
-- input { empty([0][2]i32) 3i64 }
-- output { empty([0][2]i32) }

-- ==
-- entry: kept
-- input { [[1i32, 2], [3, 4]] 2i64 }
-- output { [[4i32, 8], [6, 10]] [[2i32, 4], [4, 6]] }

-- ==
-- entry: relax
-- input { [9i32, 4, 7, 1] 3i64 }
-- output { [7i32, 4, 7, 1] }
-- input { empty([0]i32) 3i64 }
-- error: Index \[0\] out of bounds
-- input { [3i32] 2i64 }
-- error: Index \[1\]

def step [n][m] (d: [n][m]i32) (row: [m]i32) (column: [n]i32) : [n][m]i32 =
  map2 (\ds via -> map2 (\x y -> i32.min x (via + y)) ds row) d column

entry paths [n] (graph: *[n][n]i32) : [n][n]i32 =
  loop d = graph for k < n do step d d[k] d[:, k]

-- The caller's matrix stays as it is.
entry paths_of_given [n] (graph: [n][n]i32) : ([n][n]i32, [n][n]i32) =
  (loop d = graph for k < n do step d d[k] d[:, k], graph)

entry paths_with_next [n] (graph: [n][n]i32) : ([n][n]i32, [n][n]i64) =
  let hops = tabulate_2d n n (\i j -> if i == j || graph[i, j] >= 50 then i else j)
  in loop (d, next) = (copy graph, hops) for k < n do
       unzip (tabulate n (\i -> unzip (tabulate n (\j ->
         let t = d[i, k] + d[k, j]
         in if t < d[i, j] then (t, next[i, k]) else (d[i, j], next[i, j])))))

-- A pivot's row stays, the others lose a part of it.
entry eliminate [n][m] (a: [n][m]i32) (rounds: i64) : [n][m]i32 =
  loop a = copy a for k < rounds do
    let pivot = map (* 2) a[k]
    in map2 (\i row -> if i == k then a[k] else map2 (\x y -> x * a[k, 0] - row[0] * y) row pivot)
            (iota n) a

entry planes [n][m][l] (a: *[n][m][l]i32) (rounds: i64) : [n][m][l]i32 =
  loop a for i < rounds do
    tabulate_3d n m l (\x y z -> a[x, y, z] + a[i % n, y, z] % 3 + a[x, i % m, z] % 2 + a[x, y, i % l] % 2)

-- A row that is there in some rounds only.
entry outside [n][m] (a: [n][m]i32) (rounds: i64) : [n][m]i32 =
  loop a = copy a for k < rounds do
    tabulate_2d n m (\i j -> if k < n then a[i, j] + a[0, j] else a[i, j] + i32.i64 m)

-- What was is wanted, too.
entry kept [n][m] (a: [n][m]i32) (rounds: i64) : ([n][m]i32, [n][m]i32) =
  loop (a, _before) = (copy a, copy a) for _i < rounds do
    (map (\row -> map2 (+) row a[0]) a, map (map (\x -> x + x % 2)) a)

entry relax [n] (xs: *[n]i32) (rounds: i64) : [n]i32 =
  loop xs for k < rounds do
    let x = xs[k]
    in map (\y -> i32.min y (x + 3)) xs
