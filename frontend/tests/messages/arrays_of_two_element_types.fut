def dot [n] (xs: [n]i32) (ys: [n]f32) : f32 =
  reduce (+) 0 (map2 (*) xs ys)
