def mean (xs: []f64) = f64.sum xs / f64.i64 (length xs)

def stddev (xs: []f64) =
  let m = mean
  in f64.sqrt (mean (map (\x -> (x - m) ** 2) xs))
