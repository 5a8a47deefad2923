-- A chain of products modulo the prime 2^61 - 1, by a constant, which fold the high bits of the wide product onto the low ones.
-- ==
-- random input { [1]u64 }
-- input { [1u64] }
-- output { 527407044908095181u64 }

def p: u64 = (1 << 61) - 1

def times (a: u64) (b: u64) : u64 =
  let low = a * b
  let high = u64.mul_hi a b
  let s = (low & p) + ((high << 3) | (low >> 61))
  in if s >= p then s - p else s

entry main (seed: [1]u64) : u64 =
  loop x = seed[0] & (p >> 1) for _ in 0..<300000i32 do times x 0x123456789abcdef
