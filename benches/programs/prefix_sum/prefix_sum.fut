-- The sums of all prefixes of an array.
-- ==
-- random input { [8000000]i32 }
-- input { [1i32, 2i32, 3i32, -7i32] }
-- output { [1i32, 3i32, 6i32, -1i32] }

entry main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
