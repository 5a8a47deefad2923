-- Arrays updated, scattered to and summed into by values that are computed from themselves.
-- ==
-- entry: reversed_into_itself
-- input { [1, 2, 3, 4, 5] } output { [5, 4, 3, 2, 1] }

-- ==
-- entry: shifted
-- input { [1, 2, 3, 4, 5] } output { [1, 11, 12, 13, 14] [12, 13, 14, 15, 5] }

-- ==
-- entry: gathered
-- input { [1, 2, 3, 4] } output { [31, 42, 13, 24] }

-- ==
-- entry: rotated_rows
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[5, 6], [1, 2], [3, 4]] [[2, 1], [4, 3], [6, 5]] }

-- ==
-- entry: exchanged
-- input { [1, 2, 3, 4] [5, 6, 7, 8] } output { [5, 2, 7, 4] [1, 6, 3, 8] }

-- ==
-- entry: old_and_new
-- input { [1, 2, 3] } output { [1, 2, 3] [10, 2, 3] 1i32 6i32 }

-- ==
-- entry: smoothed
-- input { [0, 8, 0, 0, 4, 0] 2i32 } output { [2, 4, 1, 2, 2, 1] }

entry reversed_into_itself [n] (xs: *[n]i32) : [n]i32 =
  scatter xs (iota n) (map (\i -> xs[n - 1 - i]) (iota n))

entry shifted [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let a = copy xs
  let a = a with [1:] = map (+ 10) a[:n - 1]
  let b = copy xs
  let b = b with [:n - 1] = map (\i -> b[i + 1] + 10) (iota (n - 1))
  in (a, b)

entry gathered [n] (xs: *[n]i32) : [n]i32 =
  reduce_by_index xs (+) 0 (map (\i -> (i + 2) % n) (iota n)) (map (\i -> 10 * xs[i]) (iota n))

entry rotated_rows [n] [m] (xss: [n][m]i32) =
  let a = copy xss
  let last = copy a[n - 1]
  let a = loop a for k < n - 1 do
            let i = n - 1 - k
            in a with [i] = copy a[i - 1]
  let a = a with [0] = last
  let b = copy xss
  let b = loop b for i < n do b with [i] = copy (reverse b[i])
  in (a, b)

entry exchanged [n] (xs: *[n]i32) (ys: *[n]i32) : ([n]i32, [n]i32) =
  loop (xs, ys) for k < n / 2 do
    let i = 2 * k
    let x = xs[i]
    let xs[i] = ys[i]
    let ys[i] = x
    in (xs, ys)

entry old_and_new (xs: [3]i32) =
  let before = xs[0]
  let total = i32.sum xs
  let ys = copy xs with [0] = 10
  in (xs, ys, before, total)

-- Each element becomes the sum of its neighbours' halves, all at once.
entry smoothed [n] (xs: [n]i32) (k: i32) : [n]i32 =
  loop xs for _i < k do
    map (\i -> (xs[i64.max 0 (i - 1)] + xs[i64.min (n - 1) (i + 1)]) / 2) (iota n)
