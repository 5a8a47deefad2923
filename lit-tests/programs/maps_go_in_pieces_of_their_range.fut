-- Branches on the index, clamped indexes and checks of the index are decided for whole pieces of a
-- range, wherever the pieces end.
-- ==
-- entry: neighbours
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- output { [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 19] }
-- input { [5] } output { [0] }
-- input { [5, 6] } output { [6, 5] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: clamped
-- input { [1, 2, 3, 4] 1i64 } output { [4, 6, 9, 11] }
-- input { [1, 2, 3, 4] 5i64 } output { [23, 26, 29, 32] }
-- input { [1, 2, 3, 4] 0i64 } output { [1, 2, 3, 4] }
-- input { [7] 2i64 } output { [35] }

-- ==
-- entry: far
-- input { [1, 2, 3, 4] 9223372036854775806i64 } output { [4, 4, 1, 1] }
-- input { [1, 2, 3, 4] -9223372036854775808i64 } output { [1, 1, 1, 1] }
-- input { [1, 2, 3, 4] 2i64 } output { [3, 4, 4, 4] }

-- ==
-- entry: offset
-- input { [1, 2, 3, 4, 5] 2i64 3i64 } output { [3, 4, 5] }
-- input { [1, 2, 3, 4, 5] 2i64 4i64 } error: Index \[5\] out of bounds for array of shape \[5\]
-- input { [1, 2, 3, 4, 5] -2i64 4i64 } error: Index \[-2\] out of bounds for array of shape \[5\]
-- input { [1, 2, 3, 4, 5] 9223372036854775807i64 4i64 } error: Index \[9223372036854775807\] out of bounds
-- input { [1, 2, 3, 4, 5] 9i64 0i64 } output { empty([0]i32) }

-- ==
-- entry: around
-- input { [1, 2, 3, 4, 5] 1i64 } output { [7, 4, 6, 8, 5] }
-- input { [1, 2, 3, 4, 5] 4i64 } output { [7, 4, 6, 8, 5] }
-- input { [1, 2, 3, 4, 5] -7i64 } output { [7, 9, 6, 3, 5] }

-- ==
-- entry: triangle
-- input { 3i64 4i64 } output { [[0, 7, 7, 7], [1, 1, 7, 7], [2, 2, 2, 7]] }
-- input { 2i64 1i64 } output { [[0], [1]] }
-- input { 0i64 5i64 } output { empty([0][5]i32) }

-- ==
-- entry: zones
-- input { 3i64 9i64 } output { [0, 0, 0, 102, 103, 104, 0, 0, 0] }
-- input { 0i64 9i64 } output { [0, 0, 0, 0, 0, 0, 0, 0, 0] }
-- input { -4i64 3i64 } output { [0, 0, 0] }

-- ==
-- entry: but_one
-- input { 0i64 6i64 } output { [-1, 11, 42, 93, 164, 255] }
-- input { 3i64 6i64 } output { [87, 38, 9, -1, 11, 42] }
-- input { 5i64 6i64 } output { [245, 156, 87, 38, 9, -1] }
-- input { 8i64 6i64 } output { [632, 483, 354, 245, 156, 87] }

entry neighbours [n] (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> let before = if i == 0 then 0 else xs[i - 1]
                    let after = if i == n - 1 then 0 else xs[i + 1]
                    in before + after)

-- The sum over a window whose places beyond the ends are the ends.
entry clamped [n] (xs: [n]i32) (r: i64) : [n]i32 =
  tabulate n (\i -> loop s = 0 for d < 2 * r + 1 do
                      s + xs[i64.max 0 (i64.min (n - 1) (i + d - r))])

entry far [n] (xs: [n]i32) (r: i64) : [n]i32 =
  tabulate n (\i -> xs[i64.max 0 (i64.min (n - 1) (i + r))])

entry offset [n] (xs: [n]i32) (k: i64) (m: i64) : [m]i32 = tabulate m (\i -> xs[i + k])

entry around [n] (xs: [n]i32) (k: i64) : [n]i32 =
  map2 (+) (rotate k xs) (rotate (-k) xs)

entry triangle (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> if j > i then 7 else i32.i64 ((i * 1000 + j) / 1000))

entry zones (k: i64) (n: i64) : [n]i32 =
  tabulate n (\i -> let j = i - k
                    in if j < 0 || j >= k then 0 else 100 + i32.i64 (j * j + (2 - j) * (j + 1)))

entry but_one (k: i64) (n: i64) : [n]i32 =
  tabulate n (\i -> if i == k
                    then -1
                    else let d = i - k in i32.i64 (10 * d * d + d))

-- ==
-- entry: strided
-- input { [1, 2, 3, 4, 5, 6, 7] 2i64 0i64 4i64 } output { [1, 3, 5, 7] }
-- input { [1, 2, 3, 4, 5, 6, 7] -3i64 6i64 3i64 } output { [7, 4, 1] }
-- input { [1, 2, 3, 4, 5, 6, 7] 0i64 6i64 3i64 } output { [7, 7, 7] }
-- input { [1, 2, 3, 4, 5, 6, 7] 9223372036854775807i64 6i64 1i64 } output { [7] }
-- input { [1, 2, 3] 4611686018427387904i64 1i64 9i64 } error: Index \[4611686018427387905\] out of bounds
-- input { [1, 2, 3] -9223372036854775808i64 0i64 3i64 } error: Index \[-9223372036854775808\] out of bounds
-- input { [1, 2, 3, 4, 5, 6, 7] 2i64 0i64 5i64 } error: Index \[8\] out of bounds for array of shape \[7\]
-- input { [1, 2, 3, 4, 5, 6, 7] -2i64 4i64 5i64 } error: Index \[-2\] out of bounds for array of shape \[7\]
-- input { [1, 2, 3] 5i64 7i64 0i64 } output { empty([0]i32) }

-- ==
-- entry: columns
-- input { [1, 2, 3, 4, 5, 6] 2i64 3i64 } output { [5, 7, 9] }
-- input { [1, 2, 3, 4, 5, 6] 3i64 2i64 } output { [9, 12] }
-- input { [1, 2, 3, 4, 5, 6] 0i64 4i64 } output { [0, 0, 0, 0] }
-- input { [1, 2, 3, 4, 5, 6] 3i64 3i64 } error: Index \[6\] out of bounds for array of shape \[6\]

entry strided [n] (xs: [n]i32) (k: i64) (at: i64) (m: i64) : [m]i32 =
  tabulate m (\i -> xs[at + i * k])

entry columns [n] (xs: [n]i32) (rows: i64) (m: i64) : [m]i32 =
  tabulate m (\i -> loop s = 0 for j < rows do s + xs[j * m + i])

-- Neighbours on a torus, in two ways of saying it.
-- ==
-- entry: torus torus_from_above
-- input { [[3]] }
-- output { [[3333]] }
-- input { [[1, 2], [3, 4]] }
-- output { [[1233, 2144], [3411, 4322]] }
-- input { [[1, 2, 3, 4, 5], [6, 7, 8, 9, 1], [2, 3, 4, 5, 6], [7, 8, 9, 1, 2]] }
-- output { [[3567, 4178, 5289, 1391, 2412], [8121, 9632, 1743, 6854, 7965], [4676, 5287, 6398, 2419, 3521], [9212, 1723, 2834, 7945, 8156]] }
-- input { [[1], [2], [3]] }
-- output { [[1123], [2231], [3312]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }

entry torus [n][m] (w: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j -> w[(i - 1) % n, j] + 10 * w[(i + 1) % n, j]
                           + 100 * w[i, (j - 1) % m] + 1000 * w[i, (j + 2) % m])

entry torus_from_above [n][m] (w: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j -> w[(i + n - 1) % n, j] + 10 * w[(n + 1 + i) % n, j]
                           + 100 * w[i, (n + j + (m - 1) - n) % m] + 1000 * w[i, (j + m + 2) % m])
