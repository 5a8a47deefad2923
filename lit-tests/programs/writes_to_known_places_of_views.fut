-- A write whose place is known when the program is compiled, to an array that begins behind where its memory does.
-- ==
-- input { 0i64 } output { [4f16, 1f16, 1f16] }

entry main (_: i64) : []f16 =
  let ones = replicate 1 1i64
  let places =
    map2 (\at _ -> (loop (places, at) = (replicate 4 (-1), at) for j < 4 do (places with [j] = at - j, at + 1)).0) (iota 1) ones
  let values = map2 (\_ _ -> replicate 4 4f16) (iota 1) ones
  in scatter (reverse (replicate 3 1f16)) (take 1 (flatten places)) (take 1 (flatten values))
