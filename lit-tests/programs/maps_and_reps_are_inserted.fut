-- Applications to arguments of another rank do what they do with the maps and reps written.
-- ==
-- entry: vectors
-- input { [1, 2, 3] [4, 5, 6] }
-- output { [5, 7, 9] }

-- ==
-- entry: matrices
-- input { [[1, 2, 3], [4, 5, 6]] [[9, 8, 7], [6, 5, 4]] }
-- output { [[-8, -6, -4], [-2, 0, 2]] }

-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6]] [10, 20, 30] }
-- output { [[11, 22, 33], [14, 25, 36]] [[9, 18, 27], [6, 15, 24]] }

-- ==
-- entry: columns
-- input { [[1, 2, 3], [4, 5, 6]] [10, 20] }
-- output { [[11, 12, 13], [24, 25, 26]] }

-- ==
-- entry: standardised
-- input { [[1.0, 10.0], [3.0, 30.0]] }
-- output { [[-1.0, -1.0], [1.0, 1.0]] }

-- ==
-- entry: three_applications
-- input { [[1, 2], [3, 4]] }
-- output { [[1103, 2107], [3103, 4107]] }

-- ==
-- entry: logic
-- input { [1, 2, 3, 4] }
-- output { [false, true, true, false] [true, false, false, true] }

-- ==
-- entry: six
-- input { [1, 2] [4, 5] }
-- output { [134067, 235067] }

-- ==
-- entry: points
-- input { [3.0, 6.0] [4.0, 8.0] }
-- output { [5.0, 10.0] [1.0, 1.0] }

-- ==
-- entry: piped
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [18.0, 45.0] }

entry vectors [n] (xs: [n]i32) (ys: [n]i32) = xs + ys

entry matrices [n] [m] (xss: [n][m]i32) (yss: [n][m]i32) = xss - yss

entry rows [n] [m] (xss: [n][m]i32) (row: [m]i32) = (xss + row, row - xss)

entry columns [n] [m] (xss: [n][m]i32) (column: [n]i32) : [n][m]i32 =
  transpose (transpose xss + column)

entry standardised [n] [m] (xss: [n][m]f64) : [n][m]f64 =
  let means = f64.sum (transpose xss) / f64.i64 n
  let centred = xss - means
  in centred / f64.sqrt (f64.sum (transpose (centred ** 2)) / f64.i64 n)

def weigh [n] [m] (row: [n]i32) (table: [m][n]i32) (x: i32) : i32 =
  i32.sum row + 10 * i32.sum (flatten table) + 1000 * x

entry three_applications [n] (xss: [n][n]i32) : [n][n]i32 = weigh xss xss xss

entry logic (xs: []i32) : ([]bool, []bool) =
  let inner = xs > 1 && xs < 4
  in (inner, !inner)

def digits (a: i32) (b: i32) (c: i32) (d: i32) (e: i32) (f: i32) : i32 =
  f + 10 * (e + 10 * (d + 10 * (c + 10 * (b + 10 * a))))

entry six [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = digits xs 3 ys 0 6 7

type point = {x: f64, y: f64}

def norm (p: point) : f64 = f64.sqrt (p.x * p.x + p.y * p.y)

entry points [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]f64) =
  let ps = map2 (\x y -> {x, y}) xs ys
  in (norm ps, norm (map2 (\x y -> {x, y}) (xs / norm ps) (ys / norm ps)))

entry piped (xss: [][]i32) : []f64 =
  xss |> (* 3) |> i32.sum |> f64.i32
