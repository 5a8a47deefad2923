-- The upper half of a product shifted, with the upper bits of the lower one, of several widths.

-- ==
-- entry: folded
-- input { 18446744073709551615u64 18446744073709551611u64 }
-- output { 18446744073709551568u64 }
-- input { 81985529216486895u64 2305843009213693951u64 }
-- output { 81985529216486894u64 }
entry folded (a: u64) (b: u64) : u64 = (u64.mul_hi a b << 3) | ((a * b) >> 61)

-- ==
-- entry: small
-- input { 65535u16 65531u16 200u8 201u8 }
-- output { 65488u16 58u8 }
entry small (a: u16) (b: u16) (c: u8) (d: u8) : (u16, u8) =
  ((u16.mul_hi a b << 3) | ((a * b) >> 13), ((c * d) >> 7) | (u8.mul_hi c d << 1))

-- ==
-- entry: many
-- input { [18446744073709551615u64, 81985529216486895u64, 1u64, 2u64, 3u64, 4u64, 5u64, 6u64, 18446744073709551615u64] 18446744073709551611u64 }
-- output { [18446744073709551568u64, 655884233731895159u64, 7u64, 15u64, 23u64, 31u64, 39u64, 47u64, 18446744073709551568u64] }
entry many (as: []u64) (b: u64) : []u64 = map (\a -> (u64.mul_hi a b << 3) | ((a * b) >> 61)) as
