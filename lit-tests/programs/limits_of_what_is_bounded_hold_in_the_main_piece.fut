-- What is bounded or chosen is an index plus something in the main piece alone: comparisons of it say nothing of the pieces beside that.
-- ==
-- entry: last
-- input { [34, 18, 37] } output { [18, 37, 37] }
-- input { [34] } output { [34] }
entry last [n] (xs: [n]i32) =
  tabulate n (\i -> let j = if i < n - 1 then i + 1 else n - 1 in if j >= n then -1 else xs[j])

-- ==
-- entry: chosen
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 2i64 5i64 } output { [2, 3, 3, 3, 3, 3, 3, 3] }
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 5i64 2i64 } output { [2, -1, -1, -1, -1, -1, -1, -1] }
entry chosen [n] (xs: [n]i32) (p: i64) (q: i64) =
  tabulate n (\i -> let j = if i < p then i + 1 else p in if j >= q then -1 else xs[j])

-- ==
-- entry: at_least
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 5i64 3i64 } output { [4, 7, 10, 13, 16, 11, 22, 25] }
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 1i64 3i64 } output { [0, 0, 0, 0, 16, 11, 22, 25] }
entry at_least [n] (xs: [n]i32) (p: i64) (q: i64) =
  tabulate n (\i -> let j = i64.max i p in if j > q then xs[i] * 3 - xs[(i + 2) % n] + xs[(i + 3) % n] else 0)

-- ==
-- entry: moved
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 2i64 5i64 } output { [3, 4, -1, -1, -1, -1, -1, -1] }
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 2i64 6i64 } output { [3, 4, 5, 5, 5, 5, 5, 5] }
entry moved [n] (xs: [n]i32) (p: i64) (q: i64) =
  tabulate n (\i -> let j = 2 + i64.min i p in if j + 1 >= q then -1 else xs[j])
