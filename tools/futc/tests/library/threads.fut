-- What the test of threads needs.
entry work (n: i64) (x: i64) : i64 = i64.sum (map (\i -> (i * x) % 7) (iota n))
entry fill (n: i64) (x: i64) : []i64 = replicate n x
entry at (xs: []i64) (i: i64) : i64 = xs[i]
