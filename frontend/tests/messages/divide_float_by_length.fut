def average (xs: []f64) : f64 =
  reduce (+) 0.0 xs / length xs
