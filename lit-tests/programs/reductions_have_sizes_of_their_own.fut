-- Reductions of as many elements as each point has: as its element says, or as lie around its index.
-- ==
-- entry: windows
-- input { 1i64 [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[12, 21, 16], [27, 45, 33], [24, 39, 28]] }
-- input { 0i64 [[1, 2, 3], [4, 5, 6]] } output { [[1, 2, 3], [4, 5, 6]] }
-- input { 9i64 [[1, 2, 3], [4, 5, 6]] } output { [[21, 21, 21], [21, 21, 21]] }
-- input { 1i64 empty([0][3]i32) } output { empty([0][3]i32) }
-- input { 1i64 empty([2][0]i32) } output { empty([2][0]i32) }
-- input { -2i64 [[1, 2, 3], [4, 5, 6]] }
-- error: is invalid

-- ==
-- entry: wide
-- input { 3i64 2i64 300i64 } output { [44850i64, 44850i64] 2072i64 }
-- input { 400i64 1i64 300i64 } output { [44850i64] 44850i64 }

-- ==
-- entry: rounds
-- input { [3i64, 0i64, 5i64, 1i64] } output { [9i64, 0i64, 30i64, 0i64] [1i64, 0i64, 1i64, 0i64] [true, true, false, true] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]bool) }

-- ==
-- entry: many
-- input { 1000i64 } output { 380352i64 }

-- ==
-- entry: negative
-- input { [3i64, -1i64] }
-- error: is invalid

-- ==
-- entry: endless endless_sum
-- input { [[1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8]] 9223372036854775807i64 }
-- error: out of bounds
-- input { empty([0][3]i8) 9223372036854775807i64 } output { [0i64, 0i64, 0i64] }

entry windows [n] [m] (r: i64) (a: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    let (i0, i1) = (i64.max 0 (i - r), i64.min (n - 1) (i + r))
    let (j0, j1) = (i64.max 0 (j - r), i64.min (m - 1) (j + r))
    in i32.sum (map (\x -> i32.sum a[x, j0:j1 + 1]) (i0...i1)))

entry wide (r: i64) (n: i64) (m: i64) : ([n]i64, i64) =
  let a = tabulate_2d n m (\i j -> (i * 7 + j) % 300)
  let w = tabulate_2d n m (\i j ->
            let (j0, j1) = (i64.max 0 (j - r), i64.min (m - 1) (j + r))
            in i64.maximum (map (\x -> i64.sum a[x, j0:j1 + 1]) (i64.max 0 (i - r)..<i64.min n (i + r + 1))))
  in (map i64.sum a, i64.maximum (flatten w))

-- A sum, a product of pairs and a conjunction.
entry rounds [n] (ks: [n]i64) : ([n]i64, [n]i64, [n]bool) =
  unzip3 (map2 (\k i -> (i64.sum (map (\j -> j * (k - i)) (iota (k % 30))),
                         (reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\j -> (j % 2, i + 1 - j % 2)) (iota k))).1 % 2,
                         and (map (\j -> (j * j) % 7 != 2) (iota k))))
               ks (iota n))

-- More points than lanes, and every size among them.
entry many (n: i64) : i64 =
  let s = map (\i -> i64.sum (map (\j -> loop x = i for l < j % 3 do x + l) (iota (i * 7 % 41)))) (iota n)
  in i64.sum (map2 (\x i -> x % (i + 7)) s (iota n))

entry negative [n] (ks: [n]i64) : [n]i64 =
  map (\k -> i64.sum (map (\j -> loop x = k for l < 2 do x * 2 + j) (0..<k))) ks

-- The length of a slice that is out of bounds may be any number: nothing goes through it before that is known.
entry endless [n] [m] (a: [n][m]i8) (r: i64) : [m]i64 =
  tabulate m (\j -> i64.bool (or (map (\row -> or (map (\_ -> j == 1) row[j:i64.min m (j + r)])) a)))

entry endless_sum [n] [m] (a: [n][m]i8) (r: i64) : [m]i64 =
  tabulate m (\j -> i64.sum (map (\row -> i64.product (map (\_ -> j) row[j:i64.min m (j + r)])) a))
