-- Reductions of each pair of rows, with few and many of them.
-- ==
-- entry: distances
-- input { 20i64 20i64 3i64 } output { 600641i64 106020i64 }
-- input { 7i64 40i64 5i64 } output { 738996i64 121116i64 }
-- input { 40i64 15i64 5i64 } output { 1455310i64 263950i64 }
-- input { 9i64 16i64 97i64 } output { 5318520i64 1222700i64 }
-- input { 100i64 100i64 0i64 } output { 0i64 0i64 }
-- input { 0i64 100i64 3i64 } output { 0i64 0i64 }
-- input { 100i64 0i64 3i64 } output { 0i64 0i64 }
entry distances (n: i64) (k: i64) (d: i64) : (i64, i64) =
  let point seed i q = (i * 37 + q * 11 + seed) % 23
  let p = tabulate_2d n d (point 5)
  let c = tabulate_2d k d (point 9)
  let all = map (\x -> map (\y -> i64.sum (map2 (\u v -> (u - v) * (u - v)) x y)) c) p
  let far = map (\x -> map (\y -> 2 * i64.maximum (map2 (\u v -> i64.abs (u - v)) x y) - 1) c) p
  in (i64.sum (map2 (\i row -> i % 7 * i64.sum (map2 (\j x -> (j % 5) * x) (indices row) row)) (indices all) all)
      - i64.sum (map i64.sum (map (map (i64.max (-1))) far)) * i64.bool (d > 0),
      i64.sum (map i64.sum all))

-- ==
-- entry: max_plus
-- input { [[1f16, 2f16], [3f16, 4f16]] } output { [[5f16, 6f16], [7f16, 8f16]] }
entry max_plus [m] (a: [m][m]f16) : [m][m]f16 =
  map (\r -> map (\c -> reduce f16.max (-f16.inf) (map2 (+) r c)) (transpose a)) a
