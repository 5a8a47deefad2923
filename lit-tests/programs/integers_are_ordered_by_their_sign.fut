-- Comparisons, least and greatest elements, signs, and reductions of every integer type.
-- ==
-- entry: order_i8
-- input { [0i8, 0i8, 0i8, 1i8, 1i8, 1i8, 7i8, 7i8, 7i8, 127i8] [1i8, 127i8, -2i8, 1i8, 127i8, -2i8, 1i8, 127i8, -2i8, 1i8] }
-- output {
--   [true, true, false, false, true, false, false, true, false, false]
--   [true, true, false, true, true, false, false, true, false, false]
--   [false, false, true, false, false, true, true, false, true, true]
--   [false, false, true, true, false, true, true, false, true, true]
--   [false, false, false, true, false, false, false, false, false, false]
--   [true, true, true, false, true, true, true, true, true, true]
--   [0i8, 0i8, -2i8, 1i8, 1i8, -2i8, 1i8, 7i8, -2i8, 1i8]
--   [1i8, 127i8, 0i8, 1i8, 127i8, 1i8, 7i8, 127i8, 7i8, 127i8]
--   [0i8, 0i8, 0i8, -1i8, -1i8, -1i8, -7i8, -7i8, -7i8, -127i8]
--   [0i8, 0i8, 0i8, 1i8, 1i8, 1i8, 7i8, 7i8, 7i8, 127i8]
--   [0i8, 0i8, 0i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8]
--   -105i8
--   8i8
--   127i8
--   0i8
--   127i8
--   -128i8
-- }

-- ==
-- entry: order_i16
-- input { [0i16, 0i16, 0i16, 1i16, 1i16, 1i16, 7i16, 7i16, 7i16, 32767i16] [1i16, 32767i16, -2i16, 1i16, 32767i16, -2i16, 1i16, 32767i16, -2i16, 1i16] }
-- output {
--   [true, true, false, false, true, false, false, true, false, false]
--   [true, true, false, true, true, false, false, true, false, false]
--   [false, false, true, false, false, true, true, false, true, true]
--   [false, false, true, true, false, true, true, false, true, true]
--   [false, false, false, true, false, false, false, false, false, false]
--   [true, true, true, false, true, true, true, true, true, true]
--   [0i16, 0i16, -2i16, 1i16, 1i16, -2i16, 1i16, 7i16, -2i16, 1i16]
--   [1i16, 32767i16, 0i16, 1i16, 32767i16, 1i16, 7i16, 32767i16, 7i16, 32767i16]
--   [0i16, 0i16, 0i16, -1i16, -1i16, -1i16, -7i16, -7i16, -7i16, -32767i16]
--   [0i16, 0i16, 0i16, 1i16, 1i16, 1i16, 7i16, 7i16, 7i16, 32767i16]
--   [0i16, 0i16, 0i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16]
--   -32745i16
--   8i16
--   32767i16
--   0i16
--   32767i16
--   -32768i16
-- }

-- ==
-- entry: order_i32
-- input { [0i32, 0i32, 0i32, 1i32, 1i32, 1i32, 7i32, 7i32, 7i32, 2147483647i32] [1i32, 2147483647i32, -2i32, 1i32, 2147483647i32, -2i32, 1i32, 2147483647i32, -2i32, 1i32] }
-- output {
--   [true, true, false, false, true, false, false, true, false, false]
--   [true, true, false, true, true, false, false, true, false, false]
--   [false, false, true, false, false, true, true, false, true, true]
--   [false, false, true, true, false, true, true, false, true, true]
--   [false, false, false, true, false, false, false, false, false, false]
--   [true, true, true, false, true, true, true, true, true, true]
--   [0i32, 0i32, -2i32, 1i32, 1i32, -2i32, 1i32, 7i32, -2i32, 1i32]
--   [1i32, 2147483647i32, 0i32, 1i32, 2147483647i32, 1i32, 7i32, 2147483647i32, 7i32, 2147483647i32]
--   [0i32, 0i32, 0i32, -1i32, -1i32, -1i32, -7i32, -7i32, -7i32, -2147483647i32]
--   [0i32, 0i32, 0i32, 1i32, 1i32, 1i32, 7i32, 7i32, 7i32, 2147483647i32]
--   [0i32, 0i32, 0i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32]
--   -2147483625i32
--   8i32
--   2147483647i32
--   0i32
--   2147483647i32
--   -2147483648i32
-- }

-- ==
-- entry: order_i64
-- input { [0i64, 0i64, 0i64, 1i64, 1i64, 1i64, 7i64, 7i64, 7i64, 9223372036854775807i64] [1i64, 9223372036854775807i64, -2i64, 1i64, 9223372036854775807i64, -2i64, 1i64, 9223372036854775807i64, -2i64, 1i64] }
-- output {
--   [true, true, false, false, true, false, false, true, false, false]
--   [true, true, false, true, true, false, false, true, false, false]
--   [false, false, true, false, false, true, true, false, true, true]
--   [false, false, true, true, false, true, true, false, true, true]
--   [false, false, false, true, false, false, false, false, false, false]
--   [true, true, true, false, true, true, true, true, true, true]
--   [0i64, 0i64, -2i64, 1i64, 1i64, -2i64, 1i64, 7i64, -2i64, 1i64]
--   [1i64, 9223372036854775807i64, 0i64, 1i64, 9223372036854775807i64, 1i64, 7i64, 9223372036854775807i64, 7i64, 9223372036854775807i64]
--   [0i64, 0i64, 0i64, -1i64, -1i64, -1i64, -7i64, -7i64, -7i64, -9223372036854775807i64]
--   [0i64, 0i64, 0i64, 1i64, 1i64, 1i64, 7i64, 7i64, 7i64, 9223372036854775807i64]
--   [0i64, 0i64, 0i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64]
--   -9223372036854775785i64
--   8i64
--   9223372036854775807i64
--   0i64
--   9223372036854775807i64
--   -9223372036854775808i64
-- }

-- ==
-- entry: order_u8
-- input { [0u8, 0u8, 1u8, 1u8, 7u8, 255u8, 255u8, 0u8, 0u8, 254u8] [1u8, 2u8, 3u8, 127u8, 255u8, 1u8, 2u8, 3u8, 127u8, 255u8] }
-- output {
--   [true, true, true, true, true, false, false, true, true, true]
--   [true, true, true, true, true, false, false, true, true, true]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, false, false, false, false, false]
--   [true, true, true, true, true, true, true, true, true, true]
--   [0u8, 0u8, 1u8, 1u8, 7u8, 1u8, 2u8, 0u8, 0u8, 254u8]
--   [1u8, 2u8, 3u8, 127u8, 255u8, 255u8, 255u8, 3u8, 127u8, 255u8]
--   [0u8, 0u8, 255u8, 255u8, 249u8, 1u8, 1u8, 0u8, 0u8, 2u8]
--   [0u8, 0u8, 1u8, 1u8, 7u8, 255u8, 255u8, 0u8, 0u8, 254u8]
--   [0u8, 0u8, 1u8, 1u8, 1u8, 1u8, 1u8, 0u8, 0u8, 1u8]
--   5u8
--   36u8
--   255u8
--   0u8
--   255u8
--   0u8
-- }

-- ==
-- entry: order_u16
-- input { [0u16, 0u16, 1u16, 1u16, 7u16, 65535u16, 65535u16, 0u16, 0u16, 65534u16] [1u16, 2u16, 3u16, 32767u16, 65535u16, 1u16, 2u16, 3u16, 32767u16, 65535u16] }
-- output {
--   [true, true, true, true, true, false, false, true, true, true]
--   [true, true, true, true, true, false, false, true, true, true]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, false, false, false, false, false]
--   [true, true, true, true, true, true, true, true, true, true]
--   [0u16, 0u16, 1u16, 1u16, 7u16, 1u16, 2u16, 0u16, 0u16, 65534u16]
--   [1u16, 2u16, 3u16, 32767u16, 65535u16, 65535u16, 65535u16, 3u16, 32767u16, 65535u16]
--   [0u16, 0u16, 65535u16, 65535u16, 65529u16, 1u16, 1u16, 0u16, 0u16, 2u16]
--   [0u16, 0u16, 1u16, 1u16, 7u16, 65535u16, 65535u16, 0u16, 0u16, 65534u16]
--   [0u16, 0u16, 1u16, 1u16, 1u16, 1u16, 1u16, 0u16, 0u16, 1u16]
--   5u16
--   36u16
--   65535u16
--   0u16
--   65535u16
--   0u16
-- }

-- ==
-- entry: order_u32
-- input { [0u32, 0u32, 1u32, 1u32, 7u32, 4294967295u32, 4294967295u32, 0u32, 0u32, 4294967294u32] [1u32, 2u32, 3u32, 2147483647u32, 4294967295u32, 1u32, 2u32, 3u32, 2147483647u32, 4294967295u32] }
-- output {
--   [true, true, true, true, true, false, false, true, true, true]
--   [true, true, true, true, true, false, false, true, true, true]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, false, false, false, false, false]
--   [true, true, true, true, true, true, true, true, true, true]
--   [0u32, 0u32, 1u32, 1u32, 7u32, 1u32, 2u32, 0u32, 0u32, 4294967294u32]
--   [1u32, 2u32, 3u32, 2147483647u32, 4294967295u32, 4294967295u32, 4294967295u32, 3u32, 2147483647u32, 4294967295u32]
--   [0u32, 0u32, 4294967295u32, 4294967295u32, 4294967289u32, 1u32, 1u32, 0u32, 0u32, 2u32]
--   [0u32, 0u32, 1u32, 1u32, 7u32, 4294967295u32, 4294967295u32, 0u32, 0u32, 4294967294u32]
--   [0u32, 0u32, 1u32, 1u32, 1u32, 1u32, 1u32, 0u32, 0u32, 1u32]
--   5u32
--   36u32
--   4294967295u32
--   0u32
--   4294967295u32
--   0u32
-- }

-- ==
-- entry: order_u64
-- input { [0u64, 0u64, 1u64, 1u64, 7u64, 18446744073709551615u64, 18446744073709551615u64, 0u64, 0u64, 18446744073709551614u64] [1u64, 2u64, 3u64, 9223372036854775807u64, 18446744073709551615u64, 1u64, 2u64, 3u64, 9223372036854775807u64, 18446744073709551615u64] }
-- output {
--   [true, true, true, true, true, false, false, true, true, true]
--   [true, true, true, true, true, false, false, true, true, true]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, true, true, false, false, false]
--   [false, false, false, false, false, false, false, false, false, false]
--   [true, true, true, true, true, true, true, true, true, true]
--   [0u64, 0u64, 1u64, 1u64, 7u64, 1u64, 2u64, 0u64, 0u64, 18446744073709551614u64]
--   [1u64, 2u64, 3u64, 9223372036854775807u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551615u64, 3u64, 9223372036854775807u64, 18446744073709551615u64]
--   [0u64, 0u64, 18446744073709551615u64, 18446744073709551615u64, 18446744073709551609u64, 1u64, 1u64, 0u64, 0u64, 2u64]
--   [0u64, 0u64, 1u64, 1u64, 7u64, 18446744073709551615u64, 18446744073709551615u64, 0u64, 0u64, 18446744073709551614u64]
--   [0u64, 0u64, 1u64, 1u64, 1u64, 1u64, 1u64, 0u64, 0u64, 1u64]
--   5u64
--   36u64
--   18446744073709551615u64
--   0u64
--   18446744073709551615u64
--   0u64
-- }

entry order_i8 [n] (xs: [n]i8) (ys: [n]i8) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 i8.min xs ys, map2 i8.max xs ys, map (\x -> -x) xs, map i8.abs xs
  , map i8.sgn xs, i8.sum xs, i8.product ys, i8.maximum xs, i8.minimum xs
  , i8.highest, i8.lowest
  )

entry order_i16 [n] (xs: [n]i16) (ys: [n]i16) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 i16.min xs ys, map2 i16.max xs ys, map (\x -> -x) xs, map i16.abs xs
  , map i16.sgn xs, i16.sum xs, i16.product ys, i16.maximum xs, i16.minimum xs
  , i16.highest, i16.lowest
  )

entry order_i32 [n] (xs: [n]i32) (ys: [n]i32) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 i32.min xs ys, map2 i32.max xs ys, map (\x -> -x) xs, map i32.abs xs
  , map i32.sgn xs, i32.sum xs, i32.product ys, i32.maximum xs, i32.minimum xs
  , i32.highest, i32.lowest
  )

entry order_i64 [n] (xs: [n]i64) (ys: [n]i64) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 i64.min xs ys, map2 i64.max xs ys, map (\x -> -x) xs, map i64.abs xs
  , map i64.sgn xs, i64.sum xs, i64.product ys, i64.maximum xs, i64.minimum xs
  , i64.highest, i64.lowest
  )

entry order_u8 [n] (xs: [n]u8) (ys: [n]u8) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 u8.min xs ys, map2 u8.max xs ys, map (\x -> -x) xs, map u8.abs xs
  , map u8.sgn xs, u8.sum xs, u8.product ys, u8.maximum xs, u8.minimum xs
  , u8.highest, u8.lowest
  )

entry order_u16 [n] (xs: [n]u16) (ys: [n]u16) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 u16.min xs ys, map2 u16.max xs ys, map (\x -> -x) xs, map u16.abs xs
  , map u16.sgn xs, u16.sum xs, u16.product ys, u16.maximum xs, u16.minimum xs
  , u16.highest, u16.lowest
  )

entry order_u32 [n] (xs: [n]u32) (ys: [n]u32) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 u32.min xs ys, map2 u32.max xs ys, map (\x -> -x) xs, map u32.abs xs
  , map u32.sgn xs, u32.sum xs, u32.product ys, u32.maximum xs, u32.minimum xs
  , u32.highest, u32.lowest
  )

entry order_u64 [n] (xs: [n]u64) (ys: [n]u64) =
  ( map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys, map2 (==) xs ys
  , map2 (!=) xs ys, map2 u64.min xs ys, map2 u64.max xs ys, map (\x -> -x) xs, map u64.abs xs
  , map u64.sgn xs, u64.sum xs, u64.product ys, u64.maximum xs, u64.minimum xs
  , u64.highest, u64.lowest
  )
