-- Reads where it is told.
def element [n] (xs: [n]i32) (i: i64) = xs[i]
entry main [n] (xs: [n]i32) (i: i64) : i32 = element xs i
