-- The exponential and the sine of every element, added.
-- ==
-- random input { [4000000]f32 }
-- input { [0f32] }
-- output { [1f32] }

entry main [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.exp x + f32.sin x) xs
