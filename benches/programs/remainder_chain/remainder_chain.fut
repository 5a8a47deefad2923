-- A chain of products modulo a number that the compiler does not know, of signed numbers.
-- ==
-- random input { [1]i64 }
-- input { [12345i64] }
-- output { 118431962i64 }

entry main (seed: [1]i64) : i64 =
  let p = 1000000007 + (seed[0] & 2)
  in loop x = seed[0] % p for _ in 0..<300000i32 do x * 48271 % p
