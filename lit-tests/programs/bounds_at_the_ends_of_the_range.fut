-- Indexes that are compared with the least and greatest numbers there are: differences of these overflow.
-- ==
-- entry: least
-- input { 5i64 } output { [0u32, 0u32, 0u32, 0u32, 0u32] }
-- entry: greatest
-- input { 3i64 } output { [4294967295u32, 4294967295u32, 4294967295u32] }
-- entry: between
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- entry: compared
-- input { 4i64 } output { [10i64, 11i64, 12i64, 13i64] }

-- They wrap.
def lowest = 1 + i64.highest
def highest = lowest - 1

entry least (n: i64) : [n]u32 = tabulate n (\i -> u32.i64 (i64.min lowest i))

entry greatest (n: i64) : [n]u32 = tabulate n (\i -> u32.i64 (i64.max highest i))

entry between (n: i64) : [n]i64 = tabulate n (\i -> i64.max lowest (i64.min highest i))

entry compared (n: i64) : [n]i64 =
  tabulate n (\i -> if i < lowest || i - 1 > highest - 1 then 0 else if i + 2 > lowest + 1 then i + 10 else 1)
