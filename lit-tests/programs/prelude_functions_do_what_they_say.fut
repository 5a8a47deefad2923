-- Every function of the prelude at least once.
-- ==
-- entry: soacs
-- input { [1, 2, 3, 4] }
-- output { [2,3,4,5] [2,4,6,8] [3,6,9,12] [4,8,12,16] [5,10,15,20] 10 24 [1,3,6,10] [0,1,3,6] true false [2,4] [1,3] [1] [3] [2,4] }

-- ==
-- entry: hists
-- input { [0i64, 1, 0, 2, -1, 5] [1, 2, 3, 4, 5, 6] }
-- output { [4, 2, 4] [14, 2, 4] [[4, 0, 0],[0, 2, 0],[0, 0, 4]] [[[4, 0], [0, 2]]] [9, 9, 0] [1, 9, 9] [[1, 0], [0, 2]] [[[1, 0], [0, 2]]] }

-- ==
-- entry: arrays
-- input { [1, 2, 3, 4] }
-- output { 4i64 false 1 4 [2,3,4] [1,2,3] [1,2] [3,4] [1,2] [3,4] [4,3,2,1] [1,2,3,4,9] [9,1,2,3,4] [0i64,1] [0i64,1,2,3] [3,4,1,2] [7,7] [1,2,3,4] }

-- ==
-- entry: shapes
-- input { [1,2,3,4,5,6,7,8] }
-- output { [1,2,3,4,5,6,7,8] [1,2,3,4,5,6,7,8] [1,2,3,4,5,6,7,8] [[1,3,5,7],[2,4,6,8]] true true 36 36 [0i64,1,4] [[0i64,1],[1,2]] [[[0i64]],[[1]]] }

-- ==
-- entry: zips
-- input { [1, 2] [3i64, 4] } output { [1,2] [3i64,4] [1,2] [3i64,4] [1,2] [1,2] [3i64,4] [1,2] [1,2] [3i64,4] [1,2] [3i64,4] [1,2] }

-- ==
-- entry: functional
-- input { 3 } output { 4 4 8 7 5 5 7 3 3 6 16 24 }

-- ==
-- entry: misc
-- input { 3 2.5f32 2.5f64 true } output { 3f32 2 3f64 2 false 3 3 }

entry soacs (xs: []i32) =
  let (a, b) = partition (\x -> x % 2 == 0) xs
  let (c, d, e) = partition2 (== 1) (== 3) xs
  in ( map (+ 1) xs
     , map2 (+) xs xs
     , map3 (\a b c -> a + b + c) xs xs xs
     , map4 (\a b c d -> a + b + c + d) xs xs xs xs
     , map5 (\a b c d e -> a + b + c + d + e) xs xs xs xs xs
     , reduce (+) 0 xs, reduce_comm (*) 1 xs
     , scan (+) 0 xs, exscan (+) 0 xs
     , all (> 0) xs, any (> 4) xs
     , a, b, c, d, e )

entry hists (is: []i64) (xs: []i32) =
  let js = map (\i -> (i, i)) is
  let ks = map (\i -> (0, i, i)) is
  in ( hist (+) 0 3 is xs
     , reduce_by_index [10, 0, 0] (+) 0 is xs
     , reduce_by_index_2d (replicate 3 (replicate 3 0)) (+) 0 js xs
     , reduce_by_index_3d (replicate 1 (replicate 2 (replicate 2 0))) (+) 0 ks xs
     , spread 3 0 [0, 1, 7] [9, 9, 9]
     , scatter [1, 0, 0] [1, 2, -1] [9, 9, 9]
     , scatter_2d (replicate 2 (replicate 2 0)) [(0, 0), (1, 1)] [1, 2]
     , scatter_3d (replicate 1 (replicate 2 (replicate 2 0))) [(0, 0, 0), (0, 1, 1)] [1, 2] )

entry arrays (xs: []i32) =
  let n = length xs
  let (a, b) = split (xs :> [2 + (n - 2)]i32)
  in ( length xs, null xs, head xs, last xs, tail xs, init xs, take 2 xs, drop 2 xs, a, b
     , reverse xs, xs ++ [9], concat [9] xs, iota 2, indices xs, rotate 2 xs, replicate 2 7
     , manifest (copy xs) )

entry shapes (xs: []i32) =
  let ys = xs :> [2 * 4]i32
  let zs = xs :> [2 * 2 * 2]i32
  let ws = xs :> [1 * 2 * 2 * 2]i32
  let m = unflatten (sized 8 ys :> [4 * 2]i32)
  in ( flatten (unflatten ys), flatten_3d (unflatten_3d zs), flatten_4d (unflatten_4d ws)
     , transpose m
     , and (map (> 0) xs), or (map (> 7) xs)
     , foldl (+) 0 xs, foldr (+) 0 xs
     , tabulate 3 (\i -> i * i), tabulate_2d 2 2 (\i j -> i + j), tabulate_3d 2 1 1 (\i j k -> i + j + k) )

entry zips [n] (xs: [n]i32) (ys: [n]i64) =
  let (a, b) = unzip (zip xs ys)
  let (c, d) = unzip2 (zip2 xs ys)
  let (e) = map (.0) (zip xs ys)
  let (f, g, h) = unzip3 (zip3 xs ys xs)
  let (i, j, k, l) = unzip4 (zip4 xs ys xs ys)
  let (m, _, _, _, _) = unzip5 (zip5 xs ys xs ys xs)
  in (a, b, c, d, e, f, g, h, i, j, k, l, m)

entry functional (x: i32) =
  ( x |> (+ 1)
  , (+ 1) <| x
  , ((+ 1) >-> (* 2)) x
  , ((+ 1) <-< (* 2)) x
  , flip (-) (-2) x
  , curry (\(a, b) -> a + b) x 2
  , uncurry (+) (x, 4)
  , const x true
  , id x
  , iterate 3 (+ 1) x
  , iterate_until (> 15) (\x -> x * 2 + 0) 1
  , iterate_while (< 20) (* 2) x )

entry misc (x: i32) (y: f32) (z: f64) (b: bool) =
  (r32 x, t32 y, r64 x, t64 z, not b, opaque x, trace x)
