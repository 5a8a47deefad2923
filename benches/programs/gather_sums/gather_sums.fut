-- Sums of 32-bit integers that are read by indexes, in cache, a hundred times; what is added depends on the sum before, so
-- that rounds are not the same.
-- ==
-- random input { [65536]i32 [50000]u16 }
-- input { [1i32, 2i32, 3i32] [0u16, 1u16, 2u16] }
-- output { 1431655766i32 }

entry main [n] [m] (xs: [n]i32) (is: [m]u16) : i32 =
  loop total = 0 for _ in 0..<100i32 do
    total + i32.sum (map (\i -> xs[i64.u16 i] ^ total) is)
