-- What the test of several results needs.
entry split [n] (xs: [n]i32) (i: i64) : ([]i32, i64, (i32, bool)) = (xs[i:], i, (xs[0], true))
