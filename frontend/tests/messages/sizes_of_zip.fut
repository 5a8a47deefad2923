def pairs (xs: [4]i32) (ys: [5]i32) = zip xs ys
