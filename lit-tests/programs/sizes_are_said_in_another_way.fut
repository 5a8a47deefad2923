-- Arrays whose size a coercion says by other parameters than those they were made of.
-- ==
-- entry: doubled
-- input { 2i64 [7i64, 8i64] } output { [7i64, 8i64, 7i64, 8i64] }
-- input { 3i64 [7i64, 8i64] } error: Value of \(desugared\) shape \[4\] cannot match
-- input { 0i64 empty([0]i64) } output { empty([0]i64) }
entry doubled [u] (n: i64) (ys: [u]i64) = (ys ++ ys) :> [2 * n]i64

-- ==
-- entry: shortened
-- input { 8i64 1i64 3i64 } output { [0i64, 1i64, 2i64, 1i64] }
-- input { 7i64 1i64 3i64 } error: cannot match
-- input { 7i64 1i64 -3i64 } error: is invalid|Negative|negative
entry shortened (m: i64) (k: i64) (n: i64) = sized (m - 4) (iota (k * n) ++ [1])

-- ==
-- entry: products
-- input { 2i64 3i64 6i64 } output { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] }
-- input { 2i64 3i64 5i64 } error: cannot match
entry products (m: i64) (n: i64) (p: i64) = map (+ 1) (iota (m * n)) :> [p]i64

-- ==
-- entry: rows
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 2i64, 1i64, 2i64], [3i64, 4i64, 3i64, 4i64]] }
-- input { 1i64 [[1i64, 2i64], [3i64, 4i64]] } error: cannot match
entry rows [u] [v] (n: i64) (ys: [u][v]i64) = let q = n + n in map (\r -> (r ++ r) :> [q]i64) ys

-- What is learnt of a size in one branch does not say anything in the other.
-- ==
-- entry: branches
-- input { [1i64, 2i64] 2i64 3i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64] 5i64 1i64 } output { [2i64, 3i64, 2i64, 3i64] }
-- input { [1i64, 2i64] 5i64 3i64 } error: cannot match
entry branches [l] (xs: [l]i64) (m: i64) (k: i64) = if k > 2 then xs :> [m]i64 else map (+ 1) xs ++ map (+ 1) xs
