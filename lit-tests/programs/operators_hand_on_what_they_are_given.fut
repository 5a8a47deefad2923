-- Operators over arrays that hand on one of their arguments, which may be a row of another array; the result is consumed.
-- ==
-- entry: reduced
-- input { [[1i64, 2i64], [3i64, 4i64]] [0f32, 0f32] }
-- output { [99i64, 2i64] [[1i64, 2i64], [3i64, 4i64]] }
-- input { [[0i64, 0i64], [3i64, 4i64]] [0f32, 0f32] }
-- output { [99i64, 0i64] [[0i64, 0i64], [3i64, 4i64]] }
-- input { [[5i64, 2i64]] empty([0]f32) }
-- output { [99i64, 0i64] [[5i64, 2i64]] }

-- ==
-- entry: longest
-- input { [[1i64, 2i64, 3i64], [3i64, 4i64, 9i64], [0i64, 0i64, 0i64]] }
-- output { [7i64, 4i64, 9i64] [[1i64, 2i64, 3i64], [3i64, 4i64, 9i64], [0i64, 0i64, 0i64]] }

entry reduced [n] [m] [k] (xss: [n][m]i64) (ys: [k]f32) : ([m]i64, [n][m]i64) =
  let other (a: [m]i64) (b: [m]i64) = if any (!= 0) b then b else a
  let r = reduce other (replicate m 0) (map (\_ -> if n > 0 then xss[0] else replicate m 5) ys)
  in (scatter r [0] [99], xss)

entry longest [n] [m] (xss: [n][m]i64) : ([m]i64, [n][m]i64) =
  let longer (a: [m]i64) (b: [m]i64) = if i64.sum b > i64.sum a then b else a
  let r = reduce longer (replicate m 0) (map (\i -> xss[n - 1 - i]) (iota n))
  in (r with [0] = 7, xss)
