-- Least-significant-digit radix sort, one bit at a time, of signed numbers.
-- ==
-- input { [3, -1, 7, 0, -2147483648, 2147483647, 7] }
-- output { [-2147483648, -1, 0, 3, 7, 7, 2147483647] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }

def step [n] (xs: [n]u32) (bit: i32) : [n]u32 =
  let ones = map (\x -> i64.i32 (u32.get_bit bit x)) xs
  let zeros = map (1 -) ones
  let before_zero = scan (+) 0 zeros
  let before_one = scan (+) 0 ones
  let all_zeros = if n == 0 then 0 else last before_zero
  let place z before0 before1 = if z == 1 then before0 - 1 else all_zeros + before1 - 1
  in scatter (copy xs) (map3 place zeros before_zero before_one) xs

entry main [n] (xs: [n]i32) : [n]i32 =
  let flip x = x ^ 0x80000000
  let sorted = loop ys = map (u32.i32 >-> flip) xs for i < 32 do step ys i
  in map (flip >-> i32.u32) sorted
