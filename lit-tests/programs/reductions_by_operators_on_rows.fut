-- Reductions whose operators are maps become maps of reductions, whatever rows are made of.

-- ==
-- entry: sums
-- input { [[1f32, 2f32, 3f32], [10f32, 20f32, 30f32]] } output { [11f32, 22f32, 33f32] }
-- input { empty([0][3]f32) } output { [0f32, 0f32, 0f32] }
-- input { empty([3][0]f32) } output { empty([0]f32) }
-- input { empty([0][0]f32) } output { empty([0]f32) }

-- ==
-- entry: not_commutative
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] [[1i32, 1i32], [2i32, 2i32], [3i32, 3i32]] }
-- output { [15i32, 48i32] [28i32, 39i32] }

-- ==
-- entry: fused
-- input { [[1i64, 2i64], [3i64, 4i64]] [10i64, 100i64] [1i64, 2i64] } output { [15i64, 28i64] }

-- ==
-- entry: planes
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[10i32, 20i32], [30i32, 40i32]]] } output { [[11i32, 22i32], [33i32, 44i32]] }
-- input { empty([0][2][3]i32) } output { [[0i32, 0i32, 0i32], [0i32, 0i32, 0i32]] }

-- ==
-- entry: nested
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[10i32, 20i32], [30i32, 40i32]]] } output { [[4i32, 6i32], [40i32, 60i32]] }

-- ==
-- entry: swapped
-- input { [[1i32, 2i32], [5i32, 1i32], [3i32, 7i32]] } output { [3i32, 7i32] }

-- ==
-- entry: with_whole_row
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [9i32, 11i32] }

-- ==
-- entry: checked
-- input { [[1i32, 2i32], [3i32, 4i32]] [5i32, 6i32, 7i32, 8i32, 9i32] } output { [13i32, 15i32] }
-- input { [[1i32, 2i32], [9i32, 4i32]] [5i32, 6i32, 7i32, 8i32, 9i32] } error: Index \[9\] out of bounds

-- ==
-- entry: other_neutral
-- input { [[1i32, 2i32], [3i32, 4i32]] [0i32, 0i32] } output { [4i32, 6i32] }

entry sums [n][k] (xss: [n][k]f32) = reduce (map2 (+)) (replicate k 0) xss

-- (a, b) o (c, d) = (a * c, b * c + d), of columns.
entry not_commutative [n][k] (ass: [n][k]i32) (bss: [n][k]i32) : ([k]i32, [k]i32) =
  reduce (\(a, b) (c, d) -> (map2 (*) a c, map3 (\b c d -> b * c + d) b c d))
         (replicate k 1, replicate k 0)
         (zip ass bss)

entry fused [n][k] (xss: [n][k]i64) (ys: [n]i64) (ws: [k]i64) =
  reduce (map2 (+)) (replicate k 0) (map2 (\xs y -> map2 (\x w -> x * y + w - x * y / 100 * 99) xs ws) xss ys)
  |> map2 (\w s -> s + w * 0) ws

entry planes [n][k][l] (xsss: [n][k][l]i32) =
  reduce (map2 (map2 (+))) (replicate k (replicate l 0)) xsss

entry nested [m][n][k] (xsss: [m][n][k]i32) = map (reduce (map2 (+)) (replicate k 0)) xsss

-- The last row, by an operator that drops what is on its left.
entry swapped [n][k] (xss: [n][k]i32) =
  reduce (\a b -> map2 (\x y -> if y == i32.lowest then x else y) a b) (replicate k i32.lowest) xss

entry with_whole_row [n][k] (xss: [n][k]i32) =
  reduce (map2 (+)) (replicate k 0) (map (\xs -> map (+ xs[k - 1]) xs) xss) |> map (\x -> x - 1)

entry checked [n][k] (xss: [n][k]i32) (table: [5]i32) =
  reduce (map2 (+)) (replicate k 0) (map (map (\x -> table[x])) xss) |> map (\x -> x - 1)

entry other_neutral [n][k] (xss: [n][k]i32) (ne: [k]i32) =
  reduce (map2 (+)) (map (+ 0) ne) xss
