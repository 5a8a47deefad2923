-- Running sums that begin anew wherever a flag is raised: a byte's top bit is its flag.
-- ==
-- random input { [4000000]u8 [4000000]f32 }
-- input { [0u8, 0u8, 128u8, 0u8, 255u8] [1f32, 2f32, 3f32, 4f32, 5f32] }
-- output { [1f32, 3f32, 3f32, 7f32, 5f32] }

def segmented_scan [n] 'a (op: a -> a -> a) (ne: a) (flags: [n]bool) (xs: [n]a) : [n]a =
  let join (f, x) (g, y) = (f || g, if g then y else op x y)
  in map (.1) (scan join (false, ne) (zip flags xs))

entry main [n] (flags: [n]u8) (xs: [n]f32) : [n]f32 =
  segmented_scan (+) 0 (map (>= 128) flags) xs
