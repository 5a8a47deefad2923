-- Rows that are scattered, of arrays whose size differs from point to point: they are read when all
-- else of a point is done.
-- ==
-- entry: starts
-- input { [1i64, 0, 3] } output { [[0, 1], [0, 1], [0, 0], [0, 1]] }
-- input { [5i64, -1] } output { [[0, 0], [0, 0], [0, 0], [0, 0]] }

-- ==
-- entry: ends
-- input { [1i64, 0, 3] } output { [[0, 1], [1, 3], [0, 0], [6, 10]] }

def sums (i: i64) : []i64 = scan (+) 0 (iota (i64.abs i + 2))

entry starts [n] (is: [n]i64) : [4][2]i64 =
  scatter (replicate 4 (replicate 2 0)) is (map (\i -> take 2 (sums i)) is)

entry ends [n] (is: [n]i64) : [4][2]i64 =
  scatter (replicate 4 (replicate 2 0)) is
          (map (\i -> let xs = sums i in [xs[length xs - 2], last xs]) is)
