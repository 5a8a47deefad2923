-- Steps of wavelet transforms down columns, which go by rows; sizes that do not add up; checks.
-- ==
-- entry: haar
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32], [10i32, 11i32, 12i32]] }
-- output { [[5i32, 7i32, 9i32], [17i32, 19i32, 21i32], [-3i32, -3i32, -3i32], [-3i32, -3i32, -3i32]] }
-- input { [[1i32], [2i32], [3i32]] } error: Value of \(desugared\) shape \[2\] cannot match
-- input { empty([3][0]i32) } output { empty([3][0]i32) }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
def step [n] (xs: [n]i32) : [n]i32 =
  let h = n / 2
  let s = tabulate h (\i -> xs[2 * i] + xs[2 * i + 1])
  let d = tabulate h (\i -> xs[2 * i] - xs[2 * i + 1])
  in sized n (s ++ d)

entry haar (m: [][]i32) = m |> transpose |> map step |> transpose

-- Pieces of several sizes, one of them twice, and a check that depends on the place in the column.
-- ==
-- entry: pieces
-- input { 1i64 [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- output { [[3i32, 5i32, 1i32, 3i32, 3i32], [4i32, 6i32, 2i32, 4i32, 4i32]] [[3i32, 4i32], [5i32, 6i32], [1i32, 2i32], [3i32, 4i32], [3i32, 4i32]] }
-- input { 2i64 [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] } error: Index \[3\] out of bounds
-- input { 2i64 empty([3][0]i32) } output { empty([0][5]i32) empty([5][0]i32) }
entry pieces [n] [m] (k: i64) (xss: [n][m]i32) : ([m][]i32, [][m]i32) =
  let f (xs: [n]i32) =
    let a = tabulate 2 (\i -> xs[i + k])
    let b = tabulate (n - 1) (\i -> if i == 0 then xs[0] else xs[i])
    in a ++ b ++ [xs[1]]
  let r = map (\xs -> f xs :> [2 + (n - 1) + 1]i32) (transpose xss)
  in (r, transpose r)

-- Only a transposition reads what goes across.
-- ==
-- entry: across
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [[4i32, 10i32, 18i32], [4i32, 10i32, 18i32]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
entry across [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  xss |> transpose |> map (\xs -> tabulate n (\i -> xs[i] * xs[n - 1 - i])) |> transpose
