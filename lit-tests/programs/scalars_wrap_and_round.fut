-- Integer arithmetic wraps, division and modulus follow the guide, shifts beyond the width are
-- total, and a signed integer becomes an unsigned one by way of its own width.
-- ==
-- entry: division
-- input { 7 2 } output { 3 1 3 1 }
-- input { -7 2 } output { -4 1 -3 -1 }
-- input { 7 -2 } output { -4 -1 -3 1 }
-- input { -2147483648 -1 } output { -2147483648 0 -2147483648 0 }
-- input { 1 0 } error: division by zero

-- ==
-- entry: shifts
-- input { -8 1 } output { -16 -4 2147483644 }
-- input { -8 31 } output { 0 -1 1 }
-- input { -8 32 } output { 0 -1 0 }

-- ==
-- entry: wraps
-- input { 2147483647i32 255u8 -128i8 } output { -2147483648i32 0u8 -128i8 }

-- ==
-- entry: conversions
-- input { -1i8 } output { 255u8 -1i64 255u64 -1.0f64 true }
-- input { 0i8 } output { 0u8 0i64 0u64 0.0f64 false }

-- ==
-- entry: floats
-- input { 2.5f32 } output { 2f32 3f32 2f32 2f32 2i32 }
-- input { -2.5f32 } output { -3f32 -2f32 -2f32 -2f32 -2i32 }
-- input { 3.5f32 } output { 3f32 4f32 3f32 4f32 3i32 }

-- ==
-- entry: powers
-- input { 3 4 } output { 81 }
-- input { 2 31 } output { -2147483648 }
-- input { 5 0 } output { 1 }
-- input { 2 -1 } error: exponent

entry division (x: i32) (y: i32) : (i32, i32, i32, i32) = (x / y, x % y, x // y, x %% y)

entry shifts (x: i32) (s: i32) : (i32, i32, i32) = (x << s, x >> s, x >>> s)

entry wraps (x: i32) (y: u8) (z: i8) : (i32, u8, i8) = (x + 1, y + 1, -z)

entry conversions (x: i8) : (u8, i64, u64, f64, bool) =
  (u8.i8 x, i64.i8 x, u64.i8 x, f64.i8 x, bool.i8 x)

entry floats (x: f32) : (f32, f32, f32, f32, i32) =
  (f32.floor x, f32.ceil x, f32.trunc x, f32.round x, i32.f32 x)

entry powers (x: i32) (n: i32) : i32 = x ** n
