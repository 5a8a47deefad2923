def squares (xs: []f64) = map (\(x: i32) -> x * x) xs
