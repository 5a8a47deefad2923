-- The positive ones of an array's elements, in their order.
-- ==
-- random input { [4000000]i32 }
-- input { [5i32, -3i32, 8i32, 0i32, 7i32] }
-- output { [5i32, 8i32, 7i32] }

entry main (xs: []i32) : []i32 = filter (> 0) xs
