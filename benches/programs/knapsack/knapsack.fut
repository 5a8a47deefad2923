-- The 0-1 knapsack: the greatest value of things whose weights together do not pass a capacity. A
-- thing weighs one more than its first number modulo 1000, and its value is the second.
-- ==
-- random input { 50000i64 [200]u16 [200]u16 }
-- input { 5i64 [0u16, 1u16, 2u16, 3u16] [1u16, 6u16, 10u16, 13u16] }
-- output { 16i32 }

entry main [n] (capacity: i64) (weights: [n]u16) (values: [n]u16) : i32 =
  let best =
    loop best = replicate (capacity + 1) 0 for i < n do
      let weight = i64.u16 (weights[i] % 1000) + 1
      let value = i32.u16 values[i]
      let with_thing room =
        if room < weight then best[room] else i32.max best[room] (best[room - weight] + value)
      in tabulate (capacity + 1) with_thing
  in best[capacity]
