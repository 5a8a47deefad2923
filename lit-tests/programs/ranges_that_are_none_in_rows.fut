-- The range goes up towards what is below its beginning: its size is a constant that is negative, by which rows are astronomically long for
-- whoever takes it for unsigned. Compilation ended when it had counted their elements.
-- ==
-- input { 2i64 } error: is invalid
entry main (n: i64) =
  let [k] (zs: [k]f32) =
    map (\_ -> 1.0f32) (0i64..(4i64 % 5i64 + 1) - 1..<((0i64 % 6i64 + -2))) ++ [-7.0f32] ++ [0.0f32]
  in (zs,
      exscan (\(a: [k]i64) (b: [k]i64) -> if any (!= 0) b then b else a) (replicate k 0)
             (reduce (map2 (map2 (\(a: i64) (b: i64) -> if b == 0 then a else b)))
                     (replicate n (replicate k 0i64))
                     (map (\_ -> replicate n (iota k)) zs)))
