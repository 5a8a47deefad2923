-- Arrays without elements, of several ranks: each dimension in turn is zero.
-- ==
-- entry: shapes
-- input { empty([0]f32) empty([0][3]i32) empty([3][0]i32) empty([2][0][4]u8) }
-- output { 0i64 [0i64, 3i64] [3i64, 0i64] [2i64, 0i64, 4i64] }

-- ==
-- entry: unchanged
-- input { empty([0][3]i32) empty([3][0]i32) } output { empty([3][0]i32) empty([0][3]i32) empty([0]i32) empty([0]i32) }

-- ==
-- entry: reduced
-- input { empty([0]i32) empty([3][0]i32) empty([0][3]i32) }
-- output { 0i32 [0i32, 0i32, 0i32] [0i32, 0i32, 0i32] -2147483648i32 true false }

-- ==
-- entry: scanned
-- input { empty([0]i32) empty([0][2]i32) }
-- output { empty([0]i32) empty([0][2]i32) empty([0]i32) empty([0]i32) empty([0]i32) }

-- ==
-- entry: joined
-- input { empty([0]i32) [1, 2] } output { [1, 2] [1, 2] empty([0]i32) empty([0]i32) empty([0]i32) }

-- ==
-- entry: made
-- input { 0i64 3i64 } output { empty([0]i64) empty([0][3]i64) empty([3][0]i64) empty([0][0]bool) empty([0]i32) }

-- ==
-- entry: scattered
-- input { empty([0]i32) [0i64] [1] } output { empty([0]i32) empty([0]i32) [0i32] [0i32] }

entry shapes [n] [a] [b] [c] [d] [e] [f] [g]
             (_: [n]f32) (_: [a][b]i32) (_: [c][d]i32) (_: [e][f][g]u8) =
  (n, [a, b], [c, d], [e, f, g])

entry unchanged [a] [b] [c] [d] (x: [a][b]i32) (y: [c][d]i32) =
  (transpose x, transpose y, flatten x, flatten y)

entry reduced [n] [a] [b] [c] [d] (xs: [n]i32) (xss: [a][b]i32) (yss: [c][d]i32) =
  ( i32.sum xs, map i32.sum xss, reduce (map2 (+)) (replicate d 0) yss
  , i32.maximum xs, and (map (> 0) xs), or (map (> 0) xs))

entry scanned [n] [m] (xs: [n]i32) (xss: [m][2]i32) =
  ( scan (+) 0 xs, scan (map2 (+)) [0, 0] xss, filter (> 0) xs, rotate 1 xs, reverse xs)

entry joined [n] [m] (xs: [n]i32) (ys: [m]i32) =
  (xs ++ ys, ys ++ xs, xs ++ xs, take 0 ys, ys[2:])

entry made (n: i64) (m: i64) =
  ( iota n, tabulate_2d n m (+), replicate m (iota n), replicate n (replicate n true)
  , ([]: [0]i32))

entry scattered [n] [m] (dest: [n]i32) (is: [m]i64) (xs: [m]i32) =
  ( scatter (copy dest) is xs, hist (+) 0 n is xs
  , scatter [0] (take 0 is) (take 0 xs), reduce_by_index [0] (+) 0 (take 0 is) (take 0 xs))
