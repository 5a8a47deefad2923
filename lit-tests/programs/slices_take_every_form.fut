-- Slices with every part left out or given, strides of both signs, and empty results.
-- ==
-- entry: one_dimension
-- input { [0, 1, 2, 3, 4, 5, 6] }
-- output {
--   [2, 3, 4] [0, 1, 2] [4, 5, 6] [0, 1, 2, 3, 4, 5, 6]
--   [6, 5, 4, 3, 2, 1, 0] [1, 3, 5] [5, 3] [6, 3, 0] [4, 3, 2, 1, 0] [0, 3, 6]
--   empty([0]i32) empty([0]i32)
-- }

-- ==
-- entry: two_dimensions
-- input { [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]] }
-- output {
--   [4, 5, 6, 7] [1, 5, 9] [[5, 6], [9, 10]] [[3, 2, 1, 0], [7, 6, 5, 4], [11, 10, 9, 8]]
--   [[10, 8], [2, 0]] [6, 5] empty([3][0]i32) empty([0][4]i32)
-- }

-- ==
-- entry: of_slices
-- input { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }
-- output { [7, 5, 3] [2, 4] 5 [8, 6, 4, 2] }

-- ==
-- entry: bounds
-- input { [1, 2, 3] 0i64 3i64 1i64 } output { [1, 2, 3] }
-- input { [1, 2, 3] 2i64 0i64 -1i64 } output { [3, 2] }
-- input { [1, 2, 3] 3i64 3i64 1i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 0i64 4i64 1i64 } error: out of bounds
-- input { [1, 2, 3] -1i64 2i64 1i64 } error: out of bounds
-- input { [1, 2, 3] 2i64 1i64 1i64 } error: out of bounds
-- input { [1, 2, 3] 0i64 3i64 0i64 } error: slices_take_every_form

entry one_dimension (xs: [7]i32) =
  ( copy xs[2:5], copy xs[:3], copy xs[4:], copy xs[:]
  , copy xs[::-1], copy xs[1:6:2], copy xs[5:1:-2], copy xs[::-3], copy xs[4::-1], copy xs[::3]
  , copy xs[3:3], copy xs[7:]
  )

entry two_dimensions (xss: [3][4]i32) =
  ( copy xss[1], copy xss[:, 1], copy xss[1:, 1:3], copy xss[:, ::-1]
  , copy xss[::-2, 2::-2], copy xss[1, 2:0:-1], copy xss[:, 2:2], copy xss[3:]
  )

entry of_slices (xs: [10]i32) =
  let odd = xs[1::2]
  let back = xs[8:0:-2]
  in (copy odd[3:0:-1], copy back[::-1][0:2], xs[2:][::-1][4], copy back)

entry bounds [n] (xs: [n]i32) (i: i64) (j: i64) (s: i64) : []i32 = xs[i:j:s]
