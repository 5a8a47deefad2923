-- ==
-- entry: narrow
-- input { [3u8, 0u8, 255u8, 2u8, 7u8] [200u8, 128u8, 255u8, 130u8, 0u8] }
-- output { [161u8, 0u8, 255u8, 0u8, 1u8] }
entry narrow = map2 (\(x: u8) (y: u8) -> x ** y)

-- ==
-- entry: wide
-- input { [3u64, 0u64, 18446744073709551615u64] [9223372036854775808u64, 18446744073709551615u64, 9223372036854775809u64] }
-- output { [1u64, 0u64, 18446744073709551615u64] }
entry wide = map2 (\(x: u64) (y: u64) -> x ** y)

-- ==
-- entry: known
-- input { 3u8 3u16 3u32 }
-- output { 161u8 1u16 1u32 }
entry known (x: u8) (y: u16) (z: u32) = (x ** 200, y ** 32769 - 2, z ** 2147483648)

-- ==
-- entry: signed
-- input { 3i8 -1i8 } error: Negative exponent
-- input { 3i8 127i8 } output { -85i8 }
entry signed (x: i8) (y: i8) = x ** y
