-- Views between nests and reductions.
-- ==
-- entry: flat_sum
-- input { empty([0][0]f64) } output { 0.0 }
-- input { empty([3][0]f64) } output { 0.0 }
-- input { empty([0][2]f64) } output { 0.0 }
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { 42.0 }

-- ==
-- entry: flat_mapped
-- input { empty([0][2]i32) } output { empty([0]i32) }
-- input { [[1, 2, 3], [4, 5, 6]] } output { [3, 5, 7, 9, 11, 13] }

-- ==
-- entry: flat_positions
-- input { [[1, 2, 3], [4, 5, 6]] } output { [2i64, 5i64, 8i64, 11i64, 14i64, 17i64] 20i64 }

-- ==
-- entry: three_dimensions
-- input { 2i64 3i64 4i64 } output { 276i64 23i64 }
-- input { 2i64 0i64 4i64 } output { 0i64 -1i64 }

-- ==
-- entry: largest
-- input { [[1, -7, 3], [4, 5, -6]] } output { 7 1i64 }

-- ==
-- entry: back_and_forth
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[3, 5, 7], [9, 11, 13]] }

-- ==
-- entry: there
-- input { [[1, 2, 3], [4, 5, 6]] [10, 20] } output { [[11, 24], [12, 25], [13, 26]] }

-- ==
-- entry: two_kept
-- input { [[1, 2], [3, 4]] } output { [[2, 4], [6, 8]] 20 [[2, 6], [4, 8]] }

-- ==
-- entry: rows_counted
-- input { [[5, 6], [7, 8], [9, 10]] } output { [[5, 8, 11], [6, 9, 12]] }

-- ==
-- entry: quotients
-- input { [[6, 6], [7, 8]] [3, 2] } output { [[2, 3], [2, 4]] }
-- input { [[6, 6], [7, 8]] [3, 0] } error: division by zero
-- input { empty([2][0]i32) [3, 0] } output { empty([0][2]i32) }

-- ==
-- entry: inside
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { 28 45 }

-- ==
-- entry: rows_of_vectors
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [2, 4], [3, 6], [4, 8]] }

-- ==
-- entry: changed_later
-- input { [[1, 2], [3, 4]] } output { [[2, 100], [3, 5]] }

-- ==
-- entry: columns_reduced
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[-4, -5, -6], [-1, -2, -3]] [[4, 6, 8], [7, 9, 11]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) empty([0][2]i32) }

-- ==
-- entry: columns_divided
-- input { [[6, 9], [2, 3]] } output { [[0, 0], [0, 0]] }
-- input { [[1, 9], [-1, 3]] } error: division by zero

entry flat_sum [n][m] (a: [n][m]f64) : f64 = f64.sum (flatten (map (map (* 2)) a))
entry flat_mapped [n][m] (a: [n][m]i32) : []i32 = map (+ 1) (flatten (map (map (* 2)) a))
entry flat_positions [n][m] (a: [n][m]i64) : ([]i64, i64) =
  let b = map (map (* 2)) a
  in (map2 (+) (flatten b) (iota (n * m)), i64.sum (map2 (\x i -> if i % 2 == 0 then x else i) (flatten b) (iota (n * m))) - 7)
entry three_dimensions (n: i64) (m: i64) (l: i64) : (i64, i64) =
  let a = tabulate_3d n m l (\i j k -> (i * m + j) * l + k)
  in (i64.sum (flatten_3d a), reduce i64.max (-1) (flatten (flatten a)))
entry largest [n][m] (a: [n][m]i32) : (i32, i64) =
  let b = flatten (map (map i32.abs) a)
  let better (x, i) (y, j) = if x > y || (x == y && i < j) then (x, i) else (y, j)
  in reduce_comm better (-1, -1) (zip b (iota (n * m)))
entry back_and_forth [n][m] (a: [n][m]i32) : [n][m]i32 =
  a |> map (map (* 2)) |> transpose |> map (map (+ 1)) |> transpose
entry there [n][m] (a: [n][m]i32) (b: [n]i32) : [m][n]i32 =
  map (\r -> map2 (+) r b) (transpose (map (map (+ 0)) a)) |> map (map id)
entry two_kept [n][m] (a: [n][m]i32) : ([n][m]i32, i32, [m][n]i32) =
  let b = map (map (* 2)) a
  in (b, i32.sum (flatten b), transpose b)
entry rows_counted [n][m] (a: [n][m]i32) : [m][n]i32 =
  map (map (+ 0)) (transpose (map2 (\i -> map (+ i32.i64 i)) (iota n) a))
entry quotients [n][m] (a: [n][m]i32) (b: [n]i32) : [m][n]i32 =
  map (map (* 1)) (transpose (map2 (\r d -> map (/ d) r) a b))
entry inside [n][m] (a: [n][m]i32) : (i32, i32) =
  (i32.sum (flatten a[1:, 1:]), i32.sum (flatten (transpose (map (map (+ 0)) a))))
entry rows_of_vectors [n][m] (a: [n][m]i32) : [][2]i32 =
  map (\v -> [v[0], 2 * v[1]]) (flatten (map (map (\x -> [x, x])) a))
entry changed_later [n][m] (a: [n][m]i32) : [n][m]i32 =
  let b : *[m][n]i32 = transpose (map (map (+ 1)) a)
  let b = b with [1, 0] = 100
  let c = map (map id) (transpose (b with [0, 1] = 3))
  in c
entry columns_reduced [n][m] (a: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  let at = transpose a
  in (transpose (map (\c -> map (\x -> x - i32.sum c) c) at), transpose (map (\c -> let s = i32.sum c + 0 let t = i32.maximum c in map (\x -> x + t + (s - t - s / 1) + t * 0 + i32.minimum c) c) (transpose (map (map (+ 1)) a))))
entry columns_divided [n][m] (a: [n][m]i32) : [n][m]i32 =
  transpose (map (\c -> let s = 0 / i32.sum c in map (+ s) (map (* s) c)) (transpose a))
