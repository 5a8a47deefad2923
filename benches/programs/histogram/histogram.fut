-- How often each value of a byte occurs.
-- ==
-- random input { [8000000]u8 }

entry main [n] (bytes: [n]u8) : [256]i32 =
  hist (+) 0 256 (map i64.u8 bytes) (replicate n 1)
