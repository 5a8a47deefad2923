-- Pi by Monte Carlo: the share of random points of the unit square that lie in the circle. Each
-- point has a generator of its own, a hash of its number.
-- ==
-- input { 100000i64 }
-- output @ data/pi.out

def hash (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  in x ^ (x >> 16)

def unit (x: u32) : f64 = f64.u32 x / 4294967296

entry main (n: i64) : f64 =
  let inside i =
    let seed = u32.i64 i
    let x = unit (hash (2 * seed))
    let y = unit (hash (2 * seed + 1))
    in i64.bool (x * x + y * y < 1)
  in 4 * f64.i64 (i64.sum (map inside (iota n))) / f64.i64 n
