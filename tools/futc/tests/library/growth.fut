-- What the test of growth needs.
type cell = {x: f64, n: i32}
entry step (xs: *[]f64) (x: f64) : *[]f64 = map (+ x) xs
entry cells (xs: []f64) : []cell = map (\x -> {x, n = 1}) xs
entry fail (xs: []f64) (i: i64) : f64 = xs[i]
