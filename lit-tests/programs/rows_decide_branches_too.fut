-- Branches, checks and indexes of maps over two dimensions depend on the row, on the place in it, or on
-- both.
-- ==
-- entry: rim
-- input { [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]] }
-- output { [[-1, -1, -1, -1], [-1, 24, 28, -1], [-1, 40, 44, -1], [-1, -1, -1, -1]] }
-- input { [[1, 2], [3, 4]] } output { [[-1, -1], [-1, -1]] }
-- input { [[7]] } output { [[-1]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- input { empty([3][0]i32) } output { empty([3][0]i32) }

-- ==
-- entry: torus
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[13, 14, 15], [13, 14, 15]] }
-- input { [[5]] } output { [[20]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }

-- ==
-- entry: masked
-- input { 3i64 [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]] }
-- output { [[1, 4, 9, 0, 0], [0, 0, 0, 0, 0], [121, 144, 169, 0, 0]] }
-- input { 9i64 [[1, 2]] } output { [[1, 4]] }
-- input { -9i64 [[1, 2]] } output { [[0, 0]] }

-- ==
-- entry: below
-- input { 1i64 [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[5, 6], [8, 9]] }
-- input { 2i64 [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- error: Index \[3, 1\] out of bounds for array of shape \[3\]\[3\]
-- input { -1i64 [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- error: Index \[-1, 1\] out of bounds for array of shape \[3\]\[3\]

-- ==
-- entry: bounded
-- input { [[1, 2], [3, 4]] }
-- output { [[3, -3, -5, 5], [3, 3, 5, 5], [7, 7, 9, 9], [7, -7, -9, 9]] }
-- input { [[1]] } output { [[3, -3, 3], [3, 3, 3], [3, -3, 3]] }

entry rim [n] [m] (t: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    if i > 0 && i < n - 1 && (j > 0 && j < m - 1)
    then t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1]
    else -1)

entry torus [n] [m] (t: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    let up = if i == 0 then n - 1 else i - 1
    let down = if i == n - 1 then 0 else i + 1
    let left = if j == 0 then m - 1 else j - 1
    let right = if j == m - 1 then 0 else j + 1
    in t[up, j] + t[down, j] + t[i, left] + t[i, right])

entry masked [n] [m] (k: i64) (t: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j -> if j < k && i % 2 == 0 then t[i, j] * t[i, j] else 0)

entry below [n] [m] (k: i64) (t: [n][m]i32) =
  tabulate_2d (n - 1) (m - 1) (\i j -> t[i + k, j + 1])

def around [n] [m] (t: [n][m]i32) : [n + 2][m + 2]i32 =
  let inside n i = i64.max 0 (i64.min (n - 1) (i - 1))
  let cell i j =
    let here = t[inside n i, inside m j]
    let rim_x = j == 0 || j == m + 1
    let rim_y = i == 0 || i == n + 1
    in if rim_x && rim_y then here else if rim_y then -here else here
  in tabulate_2d (n + 2) (m + 2) cell

entry bounded [n] [m] (t: [n][m]i32) = around (map (map (\x -> 2 * x + 1)) t)
