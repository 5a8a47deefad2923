-- Scatters of one, two and more bytes, of which some lie outside.
-- ==
-- entry: bytes
-- input { [0u8, 0u8, 0u8, 0u8] [3i64, -1i64, 4i64, 0i64, 9223372036854775807i64, -9223372036854775807i64] [1u8, 2u8, 3u8, 4u8, 5u8, 6u8] }
-- output { [4u8, 0u8, 0u8, 1u8] }
-- input { empty([0]u8) [0i64, 1i64] [1u8, 2u8] }
-- output { empty([0]u8) }

entry bytes [n] [m] (to: *[n]u8) (is: [m]i64) (vs: [m]u8) : *[n]u8 = scatter to is vs

-- ==
-- entry: many
-- input { 5i64 } output { [10i64, 10i64, 2i64] }
-- input { 1000i64 } output { [51764i64, 81662i64, 551i64] }
-- input { 100000i64 } output { [5331652i64, 8003534i64, 55559i64] }

entry many (n: i64) : [3]i64 =
  let at i = if i % 3 == 0 then -1 - i else (i * 7919) % (n + i % 2)
  let is = tabulate n at
  let as = scatter (replicate n 0u8) is (map (\i -> u8.i64 (i % 97)) is)
  let bs = scatter (replicate n 0i16) is (map (\i -> i16.i64 (i % 97)) is)
  let cs = scatter (replicate n false) is (replicate n true)
  in [i64.sum (map2 (\i a -> i64.u8 a * (i % 5)) (iota n) as) % 1000000007, i64.sum (map2 (\i b -> i64.i16 b * (i % 7)) (iota n) bs),
      i64.sum (map i64.bool cs)]

-- ==
-- entry: pairs
-- input { [2i64, 0i64, 5i64] } output { [20, 0, 10] [2u8, 0u8, 1u8] }

entry pairs [m] (is: [m]i64) : ([m]i32, [m]u8) =
  unzip (scatter (replicate m (0, 0)) is (tabulate m (\i -> (i32.i64 (i + 1) * 10, u8.i64 (i + 1)))))
