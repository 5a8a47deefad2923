-- Sizes of operations inside of a map that are its index, or made by its body, are not known before it, where the number of tasks
-- is computed.
-- ==
-- entry: prefixes
-- input { [1, 2, 3, 4] } output { [0, 1, 3, 6] }
-- input { empty([0]i32) } output { empty([0]i32) }

entry prefixes [n] (a: [n]i32) : [n]i32 = map (\i -> i32.sum a[:i]) (iota n)

-- ==
-- entry: positive
-- input { [1, -2, 3, 4] } output { [0i64, 1i64, 1i64, 2i64] }

entry positive [n] (a: [n]i32) : [n]i64 = map (\i -> length (filter (> 0) a[:i])) (iota n)

-- ==
-- entry: deeper
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[0, 0], [1, 4], [3, 9]] }

entry deeper [n] [m] (a: [m][n]i32) : [n][m]i32 =
  map (\i -> map (\c -> i32.sum c[:i]) a) (iota n)

-- ==
-- entry: nested
-- input { [3i64, 0i64, 2i64] 4i64 } output { [18i64, 0i64, 6i64] }

entry nested (ns: []i64) (k: i64) =
  map (\n -> i64.sum (map (\c -> i64.sum (tabulate n (\j -> c * j))) (iota k))) ns
