-- Pi by chance: the part of a square's random points that lie in its quarter circle. The point of
-- each number comes from mixing the number's bits.
-- ==
-- random input { 4000000i64 }
-- input { 0i64 }
-- output { 0f64 }

def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

-- The upper 24 bits, as a number between zero and one.
def unit (x: u32) : f32 = f32.u32 (x >> 8) / 16777216

def inside (i: i64) : bool =
  let x = unit (mix (u32.i64 (2 * i)))
  let y = unit (mix (u32.i64 (2 * i + 1)))
  in x * x + y * y < 1

entry main (n: i64) : f64 =
  let hits = i64.sum (tabulate n (\i -> i64.bool (inside i)))
  in if n == 0 then 0 else 4 * f64.i64 hits / f64.i64 n
