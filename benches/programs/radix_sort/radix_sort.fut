-- Least-significant-digit radix sort of unsigned numbers, one bit at a time.
-- ==
-- random input { [200000]u32 }
-- input { [3u32, 4294967295u32, 7u32, 0u32, 7u32] }
-- output { [0u32, 3u32, 7u32, 7u32, 4294967295u32] }

def by_bit [n] (bit: i32) (xs: [n]u32) : [n]u32 =
  let ones = map (\x -> i64.i32 (u32.get_bit bit x)) xs
  let ones_upto = scan (+) 0 ones
  let zeros = n - i64.sum ones
  let place i one ones_here = if one == 1 then zeros + ones_here - 1 else i - ones_here
  in scatter (replicate n 0) (map3 place (iota n) ones ones_upto) xs

entry main [n] (xs: [n]u32) : [n]u32 =
  loop xs for bit < 32 do by_bit bit xs
