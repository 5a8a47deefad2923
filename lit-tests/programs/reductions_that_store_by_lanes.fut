-- Reductions and scans inside of points that store elements besides, in strips and by lanes, and under branches that points take apart.

-- ==
-- entry: normalised
-- input { [[1f32, 2f32], [3f32, 0.5f32], [1f32, 1f32]] [[1f32, 2f32], [3f32, 4f32]] }
-- output { [0.3148148f32, 0.3148148f32, 0.3148148f32] }
-- compiled random input { [100][7]f32 [5][5]f32 }
-- compiled random input { [33][3]f32 [1][1]f32 }
-- compiled random input { [40][3]f32 [0][0]f32 }
entry normalised [q] [t] [s] (factors: [q][t]f32) (m: [s][s]f32) : [q]f32 =
  map (\fs ->
    let a = loop a = replicate s 1 for f in fs do
      let b = map (\row -> f * f32.sum (map2 (*) row a)) m
      let z = f32.sum b
      in map (/ z) b
    in if s == 0 then 0 else a[0]) factors

-- ==
-- entry: sums
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64] }
-- output { [180i64, 80i64, 200i64, 330i64, 110i64, 350i64, 480i64, 140i64, 500i64, 630i64, 170i64, 650i64, 780i64, 200i64, 800i64, 930i64, 230i64] }
entry sums [n] (xs: [n]i64) : [n]i64 =
  map (\x ->
    let a = loop a = replicate 4 x for i < 3 do
      let b = map (\y -> y + i) a
      let s = i64.sum b
      in if s % 3 == 0 then map (+ s) b else map (\y -> y + 1) b
    in i64.sum (map2 (*) a (scan (+) 0 (replicate 4 1)))) xs

-- ==
-- entry: scanned
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] 2i64 }
-- output { [[7i64, 22i64, 43i64], [34i64, 67i64, 109i64]] }
-- compiled random input { [50][6]i64 5i64 }
entry scanned [n] [m] (xss: [n][m]i64) (k: i64) : [n][m]i64 =
  map (\xs ->
    loop a = xs for i < (k % 8) do
      let doubled = map (\x -> x * 2 - i) a
      let total = scan (+) 0 doubled
      in map2 (\d t -> d + t / 2) doubled total) xss
