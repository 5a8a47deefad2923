def sums (xs: []i32) = map (\x y -> x + y) xs xs
