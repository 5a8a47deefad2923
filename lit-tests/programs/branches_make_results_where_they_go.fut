-- Results of branches are made in the array that they become part of, or copied there.

-- ==
-- entry: rows
-- input { [0, 1, 2] [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[1, 3, 6], [8, 10, 12], [7, 8, 9]] [6, 1, 9] }
-- input { [2, 2] [[1, 2], [4, 5]] }
-- output { [[1, 2], [4, 5]] [2, 5] }
-- input { [0, 1] empty([2][0]i32) }
-- output { empty([2][0]i32) [0, 1] }
entry rows [n][m] (ps: [n]i32) (xs: [n][m]i32) : ([n][m]i32, [n]i32) =
  unzip (map2 (\p x ->
                 if p == 0 then (scan (+) 0 x, i32.sum x)
                 else if p == 1 then (map (* 2) x, 1)
                 else (x, if m == 0 then 0 else x[m - 1]))
              ps xs)

-- ==
-- entry: parts
-- input { true false [1, 2, 3] [4, 5] }
-- output { [1, 3, 6, 3, 2, 1, 4, 5] }
-- input { false true [1, 2, 3] [4, 5] }
-- output { [2, 3, 4, 1, 2, 3, 5, 4] }
-- input { false false empty([0]i32) [4, 5] }
-- output { [4, 5] }
entry parts (c: bool) (d: bool) (xs: []i32) (ys: []i32) : []i32 =
  (if c then scan (+) 0 xs else map (+ 1) xs)
  ++ (if d then xs else reverse xs)
  ++ (if d then reverse ys else ys)

-- The update comes after its index is known to be one.
-- ==
-- entry: row
-- input { true 1i64 [[1, 2], [3, 4]] [5, 6] }
-- output { [[1, 2], [10, 12]] }
-- input { false 0i64 [[1, 2], [3, 4]] [5, 6] }
-- output { [[5, 11], [3, 4]] }
-- input { true 1000000000i64 [[1, 2], [3, 4]] [5, 6] }
-- error: Index \[1000000000\] out of bounds
-- input { false -1000000000i64 [[1, 2], [3, 4]] [5, 6] }
-- error: Index \[-1000000000\] out of bounds
entry row [n][m] (c: bool) (i: i64) (dest: *[n][m]i32) (xs: [m]i32) : [n][m]i32 =
  let a = if c then map (* 2) xs else scan (+) 0 xs
  in dest with [i] = a

-- And so does one of a value that no branch makes.
-- ==
-- entry: fresh
-- input { 2i64 1i64 [5, 6] }
-- output { [[0, 0], [5, 11]] }
-- input { 2i64 1000000000i64 [5, 6] }
-- error: Index \[1000000000\] out of bounds
-- input { 2i64 -1000000000i64 [5, 6] }
-- error: Index \[-1000000000\] out of bounds
entry fresh [m] (n: i64) (i: i64) (xs: [m]i32) : [n][m]i32 =
  let dest = replicate n (replicate m 0i32)
  let a = scan (+) 0 xs
  in dest with [i] = a

-- ==
-- entry: looked_up
-- input { [0i64, 1i64] 1i64 [5, 6] }
-- output { [[0, 0], [5, 11]] }
-- input { [0i64, 1000000000i64] 1i64 [5, 6] }
-- error: Index \[1000000000\] out of bounds
entry looked_up [n][m] (is: [n]i64) (k: i64) (xs: [m]i32) : [n][m]i32 =
  let dest = replicate n (replicate m 0i32)
  let a = scan (+) 0 xs
  in dest with [is[k]] = a

-- Branches read the array that is updated, as it was; the value is used, too.
-- ==
-- entry: rounds
-- input { 5i64 [[1, 2], [3, 4], [5, 6]] }
-- output { [[20, 24], [19, 40], [9, 18]] 163 }
entry rounds [n][m] (k: i64) (xs: *[n][m]i32) : ([n][m]i32, i32) =
  loop (xs, s) = (xs, 0) for i < k do
    let j = i % n
    let row =
      if i % 2 == 0 then map2 (+) (scan (+) 0 xs[j]) xs[(j + 1) % n]
      else map (* 2) xs[(j + 1) % n]
    let s = s + i32.sum row
    in (xs with [j] = row, s)

-- One branch yields a part of another part of the same array.
-- ==
-- entry: moved
-- input { true [1, 2, 3, 4, 5, 6] }
-- output { [2, 3, 4, 4, 5, 6] [1, 2, 3, 2, 3, 4, 2, 3, 4] }
-- input { false [1, 2, 3, 4, 5, 6] }
-- output { [1, 3, 6, 4, 5, 6] [1, 2, 3, 1, 3, 6, 1, 3, 6] }
entry moved (c: bool) (xs: [6]i32) : ([6]i32, [9]i32) =
  let v = if c then copy (xs[1:4] :> [3]i32) else scan (+) 0 (xs[0:3] :> [3]i32)
  let ys = copy xs with [0:3] = v
  in (ys, sized 9 ((xs[0:3] :> [3]i32) ++ v ++ (ys[0:3] :> [3]i32)))

-- Only a part of what the branches make goes there.
-- ==
-- entry: first
-- input { true 3i64 } output { [[0i64, 1i64, 2i64], [5i64, 5i64, 5i64]] }
-- input { false 3i64 } output { [[7i64, 7i64, 7i64], [5i64, 5i64, 5i64]] }
entry first (c: bool) (n: i64) : [2][n]i64 =
  let xs = replicate 4000 (iota n)
  let ys = replicate 4000 (replicate n 7)
  let zs = if c then opaque xs else opaque ys
  in [zs[0], opaque (replicate n 5)]
