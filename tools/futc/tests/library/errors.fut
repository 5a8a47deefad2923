-- What the test of errors needs.
entry at (xs: []i32) (i: i64) : i32 = xs[i]
entry increment (xs: *[]i32) : *[]i32 = map (+ 1) xs
entry spoil (xs: *[]i32) (i: i64) : *[]i32 = xs with [i] = 0
entry both (xs: *[]i32) (ys: []i32) : []i32 = map2 (+) xs ys
entry same [n] (xs: [n]i32) (ys: [n]i32) : i32 = i32.sum (map2 (*) xs ys)
entry huge (n: i64) : i64 = let xs = opaque (iota n) in xs[n - 1]
entry pair (xs: []i32) : ([]i32, []i32) = (xs, xs)
