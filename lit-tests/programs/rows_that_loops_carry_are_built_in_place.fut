-- Rows that a loop inside of a map makes anew in each round.
-- ==
-- entry: sparse
-- input { [0i64, 2i64, 2i64, 5i64] [0i64, 1i64, 1i64, 0i64, 1i64] [1f32, 2f32, 3f32, 4f32, 5f32] [[1f32, 10f32, 100f32], [2f32, 20f32, 200f32]] }
-- output { [[5f32, 50f32, 500f32], [0f32, 0f32, 0f32], [20f32, 200f32, 2000f32]] }
-- input { [0i64, 0i64] empty([0]i64) empty([0]f32) empty([0][3]f32) } output { [[0f32, 0f32, 0f32]] }
-- input { [0i64] empty([0]i64) empty([0]f32) empty([0][3]f32) } output { empty([0][3]f32) }
-- input { [0i64, 1i64] [7i64] [1f32] [[1f32]] }
-- error: out of bounds

-- ==
-- entry: twice
-- input { 3i64 [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[[3i32, 6i32, 9i32], [12i32, 15i32, 18i32]], [[9i32, 18i32, 27i32], [36i32, 45i32, 54i32]]] }
-- input { 0i64 [[1i32, 2i32]] } output { [[[0i32, 0i32]], [[0i32, 0i32]]] }

-- ==
-- entry: neighbours
-- input { 2i64 [[1i32, 2i32, 3i32, 4i32, 5i32]] } output { [[5i32, 9i32, 13i32, 17i32, 20i32]] }
-- input { 0i64 [[1i32, 2i32]] } output { [[1i32, 2i32]] }

-- ==
-- entry: kept
-- input { 2i64 [[1i32, 2i32], [3i32, 4i32]] } output { [[4i32, 8i32], [12i32, 16i32]] [[3i32, 6i32], [9i32, 12i32]] }

entry sparse [n1] [z] [k] [d] (off: [n1]i64) (col: [z]i64) (vs: [z]f32) (x: [k][d]f32) : [][d]f32 =
  tabulate (n1 - 1) (\i ->
    loop acc = replicate d 0 for j in off[i]..<off[i + 1] do
      map2 (\a b -> a + vs[j] * b) acc x[col[j]])

-- What rounds put together is read, too; another row of the same block is made in turn.
entry twice [n] [m] (r: i64) (a: [n][m]i32) : [2][n][m]i32 =
  let once (s: i32) = map (\row -> loop acc = replicate m 0 for _i < r do map2 (\x y -> x + s * y) acc row) a
  in [once 1, once 3]

-- A round reads beside where it writes.
entry neighbours [n] [m] (r: i64) (a: [n][m]i32) : [n][m]i32 =
  map (\row -> loop acc = copy row for _i < r do
         tabulate m (\j -> acc[j] + acc[i64.min (m - 1) (j + 1)] - (if j == m - 1 then 0 else 1)) |> map (\x -> x)) a

-- The row before the last round is kept.
entry kept [n] [m] (r: i64) (a: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  unzip (map (\row -> loop (acc, old) = (copy row, copy row) for i < r do
                        (map2 (\x y -> x + y * i32.i64 (i + 1)) acc row, map2 (\x y -> x + y) acc row)) a)
