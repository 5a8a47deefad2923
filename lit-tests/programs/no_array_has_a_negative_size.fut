-- Rows have sizes even if there are none, and products of sizes do not wrap.
-- ==
-- entry: rows
-- input { 0i64 -2i64 } error: negative
-- input { 0i64 2i64 } output { [1, 1, 1, 2, 3] }
-- input { 3i64 1i64 } output { [1, 1, 2, 3] }

-- ==
-- entry: given
-- input { 0i64 -2i64 } error: negative
-- input { 0i64 2i64 } output { [1, 1, 1, 2, 3] }

-- ==
-- entry: literal
-- input { -1i64 } error: egative
-- input { 2i64 } output { empty([0][2]i32) }

-- ==
-- entry: unflattened
-- input { -2i64 -3i64 [1, 2, 3, 4, 5, 6] } error: unflatten
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] }
-- input { 0i64 3i64 empty([0]i32) } output { empty([0][3]i32) }
-- input { 3i64 0i64 empty([0]i32) } output { empty([3][0]i32) }

-- ==
-- entry: element
-- input { 4294967296i64 4294967296i64 empty([0]i32) 50i64 70i64 } error: unflatten
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] 1i64 1i64 } output { 5 }

-- ==
-- entry: doubled
-- input { 4611686018427387904i64 } error: oncatenate|beyond
-- input { 2i64 } output { 4i64 }
entry rows (k: i64) (n: i64) =
  let xss = map (\_ -> replicate n 7i32) (iota k)
  in map (\_ -> 1i32) (transpose xss) ++ [1, 2, 3]

#[noinline]
def size_of_rows [k] [n] (_xss: [k][n]i32) = replicate n 1i32 ++ [1, 2, 3]

entry given (k: i64) (n: i64) = size_of_rows (map (\_ -> replicate n 7i32) (iota k))

def none 'a (x: i64) = (x, [] : [0]a)

entry literal (x: i64) : [][x]i32 = (none x).1

entry unflattened (n: i64) (m: i64) (xs: []i32) = unflatten (xs :> [n * m]i32)

entry element (n: i64) (m: i64) (xs: []i32) (i: i64) (j: i64) =
  (unflatten (xs :> [n * m]i32))[i, j]

entry doubled (n: i64) = let xs = map (\_ -> 1i8) (iota n) in length (xs ++ xs)
