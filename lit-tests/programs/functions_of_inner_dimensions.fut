-- Functions of what is the same in all rows are computed once; where there are no rows, nothing is.
-- ==
-- entry: outer
-- input { [1f32, 2f32, 3f32] [0f32, 1f32] } output { [[1f32, 2.7182817f32], [2f32, 5.4365635f32], [3f32, 8.154845f32]] }
-- input { [2f32] [0f32, 0f32, 0f32] } output { [[2f32, 2f32, 2f32]] }
-- input { empty([0]f32) [0f32, 1f32] } output { empty([0][2]f32) }
-- input { [2f32] empty([0]f32) } output { empty([1][0]f32) }
entry outer [n] [m] (xs: [n]f32) (ys: [m]f32) : [n][m]f32 = map (\x -> map (\y -> x * f32.exp y) ys) xs

-- ==
-- entry: sums
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32], [7f32, 8f32]] [1f32, 1f32] [0f32, 0f32] }
-- output { [3f32, 7f32, 11f32, 15f32] }
-- input { empty([0][2]f32) [1f32, 1f32] [0f32, 0f32] } output { empty([0]f32) }
entry sums [n] [k] (xs: [n][k]f32) (u: [k]f32) (v: [k]f32) : [n]f32 =
  map (\x -> f32.sum (map3 (\x u v -> x * f32.cos v + f32.log u) x u v)) xs

-- Sizes that only points assert: without points the second array may be shorter.
-- ==
-- entry: asserted
-- input { [1f32, 2f32, 3f32, 4f32, 5f32] [0f32, 0f32] [3f32, 4f32] } output { [11f32, 20f32, 29f32, 38f32, 47f32] }
-- input { empty([0]f32) [0f32, 0f32, 0f32] [1f32] } output { empty([0]f32) }
-- input { [1f32] [0f32, 0f32] [1f32] } error: cannot match
entry asserted [n] [m] [k] (xs: [n]f32) (ys: [m]f32) (zs: [k]f32) : [n]f32 =
  map (\x -> f32.sum (map2 (\y z -> x * z * f32.exp y + f32.exp (z * 0) * 0.5 + 0.5 + x) ys (zs :> [m]f32))) xs
