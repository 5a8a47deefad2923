-- Updates of arrays made from transposed, reversed, sliced and reshaped ones.
-- ==
-- entry: transposed
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[0, 4], [2, 5], [3, 9]] [[1, 2, 3], [4, 5, 6]] }

-- ==
-- entry: flattened
-- input { [[1, 2], [3, 4]] } output { [1, 3, 9, 4] [[1, 9], [3, 4]] }

-- ==
-- entry: rows_and_columns
-- input { [[1, 2], [3, 4]] } output { [[3, 4], [1, 2]] [[2, 2], [4, 4]] [[1, 3], [2, 4]] }

-- ==
-- entry: overlapping
-- input { [1, 2, 3, 4, 5] } output { [1, 1, 2, 3, 4] [5, 4, 3, 2, 1] [1, 2, 1, 2, 5] }

-- ==
-- entry: strided
-- input { [0, 1, 2, 3, 4, 5] } output { [10, 1, 12, 3, 14, 5] [0, 6, 2, 6, 4, 6] }

-- ==
-- entry: nested_rows
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[[0, 2], [0, 4]], [[5, 6], [9, 9]]] }

-- ==
-- entry: left_by_a_loop
-- input { [5, 6] [1, 2] 0i64 } output { [[5, 2], [6, 2]] }
-- input { [5, 6] [1, 2] 1i64 } output { [[5, 5], [6, 6]] }

-- ==
-- entry: swapped_in_a_loop
-- input { [1, 2, 3, 4] 3i32 } output { [4, 3, 2, 1] [1, 2, 3, 4] }
-- input { [1, 2, 3, 4] 2i32 } output { [1, 2, 3, 4] [4, 3, 2, 1] }

-- ==
-- entry: records
-- input { [1, 2, 3] } output { [1, 9, 3] 5i32 [7, 2, 3] }

entry transposed [n] [m] (xss: [n][m]i32) =
  let t = copy (transpose xss)
  in (t with [0, 0] = 0 with [m - 1, n - 1] = 9, xss)

entry flattened (xss: [2][2]i32) =
  let columns = flatten (transpose xss)
  in (copy columns with [2] = 9, copy xss with [0, 1] = 9)

entry rows_and_columns [n] (xss: [n][n]i32) =
  let a = copy xss with [0] = copy xss[1] with [1] = copy xss[0]
  let b = copy xss with [:, 0] = copy xss[:, 1]
  let c = loop c = copy xss for i < n do c with [i] = copy xss[:, i]
  in (a, b, c)

entry overlapping [n] (xs: [n]i32) =
  let a = copy xs
  let a = a with [1:] = copy a[:n - 1]
  let b = copy xs
  let b = b with [:] = copy b[::-1]
  let c = copy xs
  let c = c with [2:4] = copy c[0:2]
  in (a, b, c)

entry strided [n] (xs: [n]i32) =
  let m = (n + 1) / 2
  in ( copy xs with [::2] = map (+ 10) (copy xs[::2])
     , copy xs with [1::2] = replicate m 6 )

entry nested_rows (x: [2][2][2]i32) =
  let x = copy x with [0, :, 0] = [0, 0]
  let x[1, 1] = [9, 9]
  in x

entry swapped_in_a_loop [n] (xs: [n]i32) (k: i32) =
  loop (a, b) = (xs, reverse xs) for _i < k do (b, a)

type pair [n] = {array: [n]i32, scalar: i32}

entry records [n] (xs: [n]i32) =
  let p : *pair [n] = {array = copy xs, scalar = 5}
  let p = p with array[1] = 9
  let q : *pair [n] = {array = copy xs, scalar = 6}
  let q.array[0] = 7
  in (p.array, p.scalar, q.array)

-- Without a round the loop's result is what every row is to start from, which was updated before.
entry left_by_a_loop [n] (xs: [n]i32) (ys: *[n]i32) (rounds: i64) =
  let start = if n > 5 then ys with [0] = 7 else ys
  in map (\x -> let zs = loop zs: [n]i32 = start for _i < rounds do replicate n x
                in copy zs with [0] = x) xs
