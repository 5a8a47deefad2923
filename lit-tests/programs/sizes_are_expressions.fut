-- Types whose sizes are computed: sums, products and differences of sizes.
-- ==
-- entry: split_up
-- input { [1, 2, 3, 4, 5] 2i64 } output { [1, 2] [3, 4, 5] }
-- input { [1, 2, 3, 4, 5] 0i64 } output { empty([0]i32) [1, 2, 3, 4, 5] }
-- input { [1, 2, 3, 4, 5] 5i64 } output { [1, 2, 3, 4, 5] empty([0]i32) }
-- input { [1, 2, 3, 4, 5] 6i64 } error: .

-- ==
-- entry: reshaped
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [1, 2, 3, 4, 5, 6] [[1, 2], [3, 4], [5, 6]] [[[1], [2], [3]], [[4], [5], [6]]] }

-- ==
-- entry: joined
-- input { [1, 2] [3] } output { [1, 2, 3] [0, 1, 2] [1, 2, 3, 0] }

-- ==
-- entry: deep
-- input { 2i64 3i64 2i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64] 11i64 12i64 }

-- ==
-- entry: differences
-- input { [1, 4, 9, 16] } output { [3, 5, 7] [4, 9, 16] [1, 4, 9] }

entry split_up [n] (xs: [n]i32) (i: i64) : ([]i32, []i32) =
  split (sized (i + (n - i)) xs)

entry reshaped (xss: [2][3]i32) : ([6]i32, [3][2]i32, [2][3][1]i32) =
  let flat = flatten xss
  in (flat, unflatten (sized (3 * 2) flat), unflatten_3d (sized (2 * 3 * 1) flat))

def append_zero [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [0]

entry joined [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n + m]i32, [n + m]i32, [n + m + 1]i32) =
  let both = xs ++ ys
  in (both, map i32.i64 (iota (n + m)), append_zero both)

entry deep (a: i64) (b: i64) (c: i64) =
  let cube = tabulate_3d a b c (\i j k -> (i * b + j) * c + k)
  let flat = flatten_3d cube
  let again : [a][b][c]i64 = unflatten_3d flat
  in (flat, again[a - 1, b - 1, c - 1], length (flatten (flatten again)))

entry differences [n] (xs: [n]i32) : ([n - 1]i32, [n - 1]i32, [n - 1]i32) =
  (map2 (-) (tail xs) (init xs), tail xs, init xs)
