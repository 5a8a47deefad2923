-- Floats of every width to integers of every width and sign. Infinities and NaN become 0, other
-- numbers that do not fit become the nearest that does, and negative ones become unsigned by way
-- of the signed type of the same width.
-- ==
-- entry: truncated_f16
-- input { [0.0f16, -0.0f16, 1.0f16, -1.0f16, 2.5f16, -2.5f16, 100.75f16, -100.75f16, 0.990234375f16] [0.0f16, 0.0f16, 1.0f16, 1.0f16, 2.5f16, 2.5f16, 100.75f16, 100.75f16, 0.990234375f16] }
-- output {
--   [0i8, 0i8, 1i8, -1i8, 2i8, -2i8, 100i8, -100i8, 0i8]
--   [0i16, 0i16, 1i16, -1i16, 2i16, -2i16, 100i16, -100i16, 0i16]
--   [0i32, 0i32, 1i32, -1i32, 2i32, -2i32, 100i32, -100i32, 0i32]
--   [0i64, 0i64, 1i64, -1i64, 2i64, -2i64, 100i64, -100i64, 0i64]
--   [0u8, 0u8, 1u8, 1u8, 2u8, 2u8, 100u8, 100u8, 0u8]
--   [0u16, 0u16, 1u16, 1u16, 2u16, 2u16, 100u16, 100u16, 0u16]
--   [0u32, 0u32, 1u32, 1u32, 2u32, 2u32, 100u32, 100u32, 0u32]
--   [0u64, 0u64, 1u64, 1u64, 2u64, 2u64, 100u64, 100u64, 0u64]
-- }

-- ==
-- entry: unfitting_f16
-- input { [f16.inf, -f16.inf, f16.nan, 60000.0f16, -60000.0f16, -1.0f16] }
-- output {
--   [0i8, 0i8, 0i8, 127i8, -128i8, -1i8]
--   [0i16, 0i16, 0i16, 32767i16, -32768i16, -1i16]
--   [0i32, 0i32, 0i32, 60000i32, -60000i32, -1i32]
--   [0i64, 0i64, 0i64, 60000i64, -60000i64, -1i64]
--   [0u8, 0u8, 0u8, 255u8, 128u8, 255u8]
--   [0u16, 0u16, 0u16, 60000u16, 32768u16, 65535u16]
--   [0u32, 0u32, 0u32, 60000u32, 4294907296u32, 4294967295u32]
--   [0u64, 0u64, 0u64, 60000u64, 18446744073709491616u64, 18446744073709551615u64]
--   [true, true, true, true, true, true]
-- }

-- ==
-- entry: truncated_f32
-- input { [0.0f32, -0.0f32, 1.0f32, -1.0f32, 2.5f32, -2.5f32, 100.75f32, -100.75f32, 0.99f32] [0.0f32, 0.0f32, 1.0f32, 1.0f32, 2.5f32, 2.5f32, 100.75f32, 100.75f32, 0.99f32] }
-- output {
--   [0i8, 0i8, 1i8, -1i8, 2i8, -2i8, 100i8, -100i8, 0i8]
--   [0i16, 0i16, 1i16, -1i16, 2i16, -2i16, 100i16, -100i16, 0i16]
--   [0i32, 0i32, 1i32, -1i32, 2i32, -2i32, 100i32, -100i32, 0i32]
--   [0i64, 0i64, 1i64, -1i64, 2i64, -2i64, 100i64, -100i64, 0i64]
--   [0u8, 0u8, 1u8, 1u8, 2u8, 2u8, 100u8, 100u8, 0u8]
--   [0u16, 0u16, 1u16, 1u16, 2u16, 2u16, 100u16, 100u16, 0u16]
--   [0u32, 0u32, 1u32, 1u32, 2u32, 2u32, 100u32, 100u32, 0u32]
--   [0u64, 0u64, 1u64, 1u64, 2u64, 2u64, 100u64, 100u64, 0u64]
-- }

-- ==
-- entry: unfitting_f32
-- input { [f32.inf, -f32.inf, f32.nan, 1e+20f32, -1e+20f32, -1.0f32] }
-- output {
--   [0i8, 0i8, 0i8, 127i8, -128i8, -1i8]
--   [0i16, 0i16, 0i16, 32767i16, -32768i16, -1i16]
--   [0i32, 0i32, 0i32, 2147483647i32, -2147483648i32, -1i32]
--   [0i64, 0i64, 0i64, 9223372036854775807i64, -9223372036854775808i64, -1i64]
--   [0u8, 0u8, 0u8, 255u8, 128u8, 255u8]
--   [0u16, 0u16, 0u16, 65535u16, 32768u16, 65535u16]
--   [0u32, 0u32, 0u32, 4294967295u32, 2147483648u32, 4294967295u32]
--   [0u64, 0u64, 0u64, 18446744073709551615u64, 9223372036854775808u64, 18446744073709551615u64]
--   [true, true, true, true, true, true]
-- }

-- ==
-- entry: truncated_f64
-- input { [0.0f64, -0.0f64, 1.0f64, -1.0f64, 2.5f64, -2.5f64, 100.75f64, -100.75f64, 0.99f64] [0.0f64, 0.0f64, 1.0f64, 1.0f64, 2.5f64, 2.5f64, 100.75f64, 100.75f64, 0.99f64] }
-- output {
--   [0i8, 0i8, 1i8, -1i8, 2i8, -2i8, 100i8, -100i8, 0i8]
--   [0i16, 0i16, 1i16, -1i16, 2i16, -2i16, 100i16, -100i16, 0i16]
--   [0i32, 0i32, 1i32, -1i32, 2i32, -2i32, 100i32, -100i32, 0i32]
--   [0i64, 0i64, 1i64, -1i64, 2i64, -2i64, 100i64, -100i64, 0i64]
--   [0u8, 0u8, 1u8, 1u8, 2u8, 2u8, 100u8, 100u8, 0u8]
--   [0u16, 0u16, 1u16, 1u16, 2u16, 2u16, 100u16, 100u16, 0u16]
--   [0u32, 0u32, 1u32, 1u32, 2u32, 2u32, 100u32, 100u32, 0u32]
--   [0u64, 0u64, 1u64, 1u64, 2u64, 2u64, 100u64, 100u64, 0u64]
-- }

-- ==
-- entry: unfitting_f64
-- input { [f64.inf, -f64.inf, f64.nan, 1.0000000200408773e+20f64, -1.0000000200408773e+20f64, -1.0f64] }
-- output {
--   [0i8, 0i8, 0i8, 127i8, -128i8, -1i8]
--   [0i16, 0i16, 0i16, 32767i16, -32768i16, -1i16]
--   [0i32, 0i32, 0i32, 2147483647i32, -2147483648i32, -1i32]
--   [0i64, 0i64, 0i64, 9223372036854775807i64, -9223372036854775808i64, -1i64]
--   [0u8, 0u8, 0u8, 255u8, 128u8, 255u8]
--   [0u16, 0u16, 0u16, 65535u16, 32768u16, 65535u16]
--   [0u32, 0u32, 0u32, 4294967295u32, 2147483648u32, 4294967295u32]
--   [0u64, 0u64, 0u64, 18446744073709551615u64, 9223372036854775808u64, 18446744073709551615u64]
--   [true, true, true, true, true, true]
-- }

entry truncated_f16 [n] (xs: [n]f16) (us: [n]f16) =
  ( map i8.f16 xs, map i16.f16 xs, map i32.f16 xs, map i64.f16 xs
  , map u8.f16 us, map u16.f16 us, map u32.f16 us, map u64.f16 us
  )

entry unfitting_f16 [n] (xs: [n]f16) =
  ( map i8.f16 xs, map i16.f16 xs, map i32.f16 xs, map i64.f16 xs, map u8.f16 xs, map u16.f16 xs, map u32.f16 xs, map u64.f16 xs
  , map bool.f16 xs
  )

entry truncated_f32 [n] (xs: [n]f32) (us: [n]f32) =
  ( map i8.f32 xs, map i16.f32 xs, map i32.f32 xs, map i64.f32 xs
  , map u8.f32 us, map u16.f32 us, map u32.f32 us, map u64.f32 us
  )

entry unfitting_f32 [n] (xs: [n]f32) =
  ( map i8.f32 xs, map i16.f32 xs, map i32.f32 xs, map i64.f32 xs, map u8.f32 xs, map u16.f32 xs, map u32.f32 xs, map u64.f32 xs
  , map bool.f32 xs
  )

entry truncated_f64 [n] (xs: [n]f64) (us: [n]f64) =
  ( map i8.f64 xs, map i16.f64 xs, map i32.f64 xs, map i64.f64 xs
  , map u8.f64 us, map u16.f64 us, map u32.f64 us, map u64.f64 us
  )

entry unfitting_f64 [n] (xs: [n]f64) =
  ( map i8.f64 xs, map i16.f64 xs, map i32.f64 xs, map i64.f64 xs, map u8.f64 xs, map u16.f64 xs, map u32.f64 xs, map u64.f64 xs
  , map bool.f64 xs
  )
