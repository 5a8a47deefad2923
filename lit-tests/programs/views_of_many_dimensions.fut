-- Permutations, slices and changes of shape of arrays of three and four dimensions, one upon
-- another.
-- ==
-- entry: permuted
-- input { 2i64 3i64 4i64 }
-- output { true true true true true }

-- ==
-- entry: flattened
-- input { 2i64 3i64 4i64 } output { true true true }

-- ==
-- entry: sliced
-- input { 4i64 5i64 } output { [[19i64, 17i64], [9i64, 7i64]] [18i64, 8i64] [[6i64, 16i64], [8i64, 18i64]] [6i64, 16i64, 8i64, 18i64] }

-- ==
-- entry: flat_of_column
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]] } output { [[2, 5], [8, 11]] [2, 8, 5, 11] [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]] }

def index [a] [b] [c] (f: i64 -> i64 -> i64 -> i64) (x: [a][b][c]i64) : bool =
  all (\i -> all (\j -> all (\k -> x[i, j, k] == f i j k) (iota c)) (iota b)) (iota a)

entry permuted (a: i64) (b: i64) (c: i64) =
  let f i j k = i * 100 + j * 10 + k
  let x = tabulate_3d a b c f
  in ( index (\j i k -> f i j k) (transpose x)
     , index (\i k j -> f i j k) (map transpose x)
     , index (\j k i -> f i j k) (map transpose (transpose x))
     , index (\k i j -> f i j k) (transpose (map transpose x))
     , index (\k j i -> f i j k) (transpose (map transpose (transpose x)))
     )

entry flattened (a: i64) (b: i64) (c: i64) =
  let x = tabulate_3d a b c (\i j k -> (i * b + j) * c + k)
  let y = flatten (map transpose x)
  let z = flatten_3d (map transpose (transpose x))
  in ( and (map2 (==) (flatten_3d x) (iota (a * b * c)))
     , and (map (\i -> and (map (\j -> y[i, j] == ((i / c) * b + j) * c + i % c) (iota b)))
                (iota (a * c)))
     , and (map (\i -> let j = i / (c * a)
                       let k = (i / a) % c
                       let l = i % a
                       in z[i] == (l * b + j) * c + k)
                (iota (b * c * a)))
     )

entry sliced (n: i64) (m: i64) =
  let x = tabulate_2d n m (\i j -> i * m + j)
  let a = x[::-2, ::-2]
  let b = x[1::2, 1::2]
  in (a[:, :2], (transpose x)[3][::-2], transpose b, flatten (transpose b))

entry flat_of_column (xss: [4][3]i32) =
  let column : [2 * 2]i32 = sized (2 * 2) xss[:, 1]
  let square : [2][2]i32 = unflatten column
  in (square, flatten (transpose square), unflatten (sized (6 * 2) (flatten xss)) : [6][2]i32)
