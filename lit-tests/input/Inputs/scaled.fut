-- A vector and a number.
entry main [n] (xs: [n]i32) (y: i32) : [n]i32 = map (* y) xs
