-- A chain of the mixing steps of splitmix64, each of the result before and an element.
-- ==
-- random input { [300000]u64 }
-- input { [1u64, 2u64] }
-- output { 17235469408947973867u64 }

def mix (x: u64) : u64 =
  let x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
  let x = (x ^ (x >> 27)) * 0x94d049bb133111eb
  in x ^ (x >> 31)

entry main [n] (xs: [n]u64) : u64 = loop h = 0 for x in xs do mix (h ^ x)
