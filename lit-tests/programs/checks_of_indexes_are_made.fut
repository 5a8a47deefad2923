-- The index that a reduction passes on comes with the check of what it was an element of, also where
-- it goes on in 32 bits; and a check holds in a map only if the map has points.
-- ==
-- entry: greatest
-- input { [1f64, 3f64, 2f64] 2i64 } error: cannot match shape
-- input { [1f64, 3f64, 2f64] 3i64 } output { 1i64 }
-- input { [1f64, 3f64, 2f64] 4i64 } error: cannot match shape

-- ==
-- entry: counted
-- input { [true, false, true] 2i64 } error: cannot match shape
-- input { [true, false, true] 3i64 } output { 2i64 }

-- ==
-- entry: reversed
-- input { [1i32, 2i32, 3i32] 2f32 } output { [[2i64, 2i64, 2i64], [2i64, 2i64, 2i64], [2i64, 2i64, 2i64]] }
-- input { empty([0]i32) 2f32 } output { empty([0][0]i64) }

entry greatest [n] (xs: [n]f64) (m: i64) : i64 =
  let later (x: f64, i: i64) (y: f64, j: i64) = if x > y then (x, i) else (y, j)
  in (reduce later (-1, -1) (zip xs (iota m :> [n]i64))).1

entry counted [n] (bs: [n]bool) (m: i64) : i64 =
  i64.sum (map2 (\b i -> i64.bool (b && i < m)) bs (iota m :> [n]i64))

entry reversed [n] (xs: [n]i32) (y: f32) : [n][n]i64 =
  map (\_ ->
         loop _ = replicate n 1i64 for _i < 1i64 do
           map (\(z, _) -> i64.f32 z) (((replicate n (y, 1i64))[::-1]) :> [n](f32, i64)))
      xs
