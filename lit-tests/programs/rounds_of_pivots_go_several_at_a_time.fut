-- Loops that update a matrix by its row and column k do eight rounds of an element at a time; elements come out as if they
-- went through the rounds one by one. `opaque` keeps the second of each pair as it is written.
-- ==
-- entry: closure
-- random input { [64][64]f32 } output { true }
-- random input { [71][71]f32 } output { true }
-- random input { [63][63]f32 } output { true }
-- random input { [0][0]f32 } output { true }
-- entry: reachable
-- random input { [70][70]bool } output { true }
-- random input { [129][129]bool } output { true }
-- entry: gauss_jordan triangles sides other_sides
-- random input { [64][64]f64 } output { true }
-- random input { [77][77]f64 } output { true }
-- random input { [5][5]f64 } output { true }
-- entry: wide
-- random input { [66][90]i32 100i64 } output { true }
-- random input { [90][66]i32 100i64 } output { true }
-- random input { [90][70]i32 13i64 } output { true }
-- random input { [90][70]i32 0i64 } output { true }
-- random input { [10][70]i32 70i64 } output { true }

def same 't [n] [m] (eq: t -> t -> bool) (a: [n][m]t) (b: [n][m]t) : bool =
  map2 (map2 eq) a b |> flatten |> and

def both 't [n] [m] (eq: t -> t -> bool) (rounds: i64) (a: [n][m]t) (element: [n][m]t -> i64 -> i64 -> i64 -> t) : bool =
  let quick = loop d = a for k < rounds do tabulate_2d n m (\i j -> element d k i j)
  let plain = loop d = a for k < rounds do tabulate_2d n m (\i j -> element d (opaque k) i j)
  in same eq quick plain

entry closure [n] (a: [n][n]f32) : bool =
  both (==) n a (\d k i j -> f32.min d[i, j] (d[i, k] + d[k, j]))

entry reachable [n] (a: [n][n]bool) : bool =
  both (==) n a (\d k i j -> d[i, j] || (d[i, k] && !d[k, j]))

def bits (x: f64) (y: f64) = f64.to_bits x == f64.to_bits y

entry gauss_jordan [n] (a: [n][n]f64) : bool =
  both bits n a (\d k i j ->
    let pivot = 1 + f64.abs d[k, k]
    in if i == k then d[k, j] / pivot else d[i, j] - d[i, k] / pivot * d[k, j])

entry triangles [n] (a: [n][n]f64) : bool =
  both bits n a (\d k i j ->
    let factor = d[i, k] / (2 + f64.abs d[k, k])
    in if i > k && j > k then d[i, j] - factor * d[k, j]
       else if i > k && j == k then factor
       else d[i, j])

-- All comparisons there are.
entry sides [n] (a: [n][n]f64) : bool =
  both bits n a (\d k i j ->
    let x = d[i, j]
    let y = if j <= k then x + d[k, j] else x - d[i, k]
    in if k <= i then y * 0.5 else d[k, k] - y * 0.25)

entry other_sides [n] (a: [n][n]f64) : bool =
  both bits n a (\d k i j ->
    let x = d[i, j]
    let y = if k < j then x + d[k, j] else if i < j then x * 0.125 else x + d[i, k] * 0.5
    in if i != k then y * 0.75 else x)

-- What is read behind a condition need not be inside otherwise.
entry wide [n] [m] (a: [n][m]i32) (rounds: i64) : bool =
  both (==) rounds a (\d k i j ->
    if k < i && k < j then #[unsafe] (d[i, j] * 3 + d[i, k] ^ d[k, j]) else d[i, j] + i32.bool (k == i))
