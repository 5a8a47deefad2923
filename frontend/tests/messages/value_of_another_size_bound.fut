def f [n] (xs: [n]i32) =
  let ys: [n]i32 = xs ++ [1]
  in ys
