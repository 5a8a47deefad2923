-- Values of every type through the text format, at the ends of their ranges.
-- ==
-- entry: signed
-- input { [-128i8, 127i8] [-32768i16, 32767i16] [-2147483648i32, 2147483647i32] [-9223372036854775808i64, 9223372036854775807i64] }
-- output { [-128i8, 127i8] [-32768i16, 32767i16] [-2147483648i32, 2147483647i32] [-9223372036854775808i64, 9223372036854775807i64] }

-- ==
-- entry: unsigned
-- input { [0u8, 255u8] [0u16, 65535u16] [0u32, 4294967295u32] [0u64, 18446744073709551615u64] }
-- output { [0u8, 255u8] [0u16, 65535u16] [0u32, 4294967295u32] [0u64, 18446744073709551615u64] }

-- ==
-- entry: floats
-- input { [1.5f16, -0.0f16, f16.inf, -f16.inf, f16.nan, 65504f16] [1.5f32, 3.4028235e38f32, 1e-45f32, f32.inf, -f32.inf, f32.nan] [1.5f64, 1.7976931348623157e308f64, 5e-324f64, f64.inf, -f64.inf, f64.nan] }
-- output { [1.5f16, -0.0f16, f16.inf, -f16.inf, f16.nan, 65504f16] [1.5f32, 3.4028235e38f32, 1e-45f32, f32.inf, -f32.inf, f32.nan] [1.5f64, 1.7976931348623157e308f64, 5e-324f64, f64.inf, -f64.inf, f64.nan] }

-- ==
-- entry: truths
-- input { true false [[true], [false]] } output { true false [[true], [false]] }

-- ==
-- entry: notations
-- input { 0x10 0b101 1_000 -5 1.5e2f64 "hi\n" }
-- output { 16 5 1000 -5 150.0f64 [104u8, 105u8, 10u8] }

-- ==
-- entry: exact
-- input { [0.1f32, 16777216f32, 1e-45f32] [0.1f64, 9007199254740993f64, 5e-324f64] [0.1f16, 2049f16] }
-- output { [0x3dcccccdu32, 0x4b800000u32, 1u32] [0x3fb999999999999au64, 0x4340000000000000u64, 1u64] [0x2e66u16, 0x6800u16] }

-- ==
-- entry: deep
-- input { [[[[1u8, 2u8]], [[3u8, 4u8]]]] } output { [[[[1u8, 2u8]], [[3u8, 4u8]]]] [1i64, 2i64, 1i64, 2i64] }

entry signed (a: []i8) (b: []i16) (c: []i32) (d: []i64) = (a, b, c, d)

entry unsigned (a: []u8) (b: []u16) (c: []u32) (d: []u64) = (a, b, c, d)

entry floats (a: []f16) (b: []f32) (c: []f64) = (a, b, c)

entry truths (a: bool) (b: bool) (c: [][]bool) = (a, b, c)

entry notations (a: i32) (b: i32) (c: i32) (d: i32) (e: f64) (f: []u8) = (a, b, c, d, e, f)

entry exact (a: []f32) (b: []f64) (c: []f16) =
  (map f32.to_bits a, map f64.to_bits b, map f16.to_bits c)

entry deep [a] [b] [c] [d] (x: [a][b][c][d]u8) = (x, [a, b, c, d])
