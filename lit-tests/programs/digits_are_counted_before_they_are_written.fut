-- A radix sort by two bits at a time, whose totals are the last elements of the scans that say where elements go.
-- ==
-- entry: sorts
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 17i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 70000i64 } output { true }

-- ==
-- entry: totals
-- input { [3, 1, 2, 1, 0, 3, 3] } output { [6i64, 5i64, 4i64, 2i64, 0i64, 9i64, 9i64] 5i64 17i64 }
-- input { empty([0]i32) } output { empty([0]i64) 0i64 0i64 }

-- ==
-- entry: outside
-- input { [0, 1, 0, 1, 1] } output { [2, 2, 2, 0, 0] }
-- input { [1] } output { [2] }

def step [n] (xs: [n]u32) (bit: i32) : [n]u32 =
  let bins = map (\x -> u32.get_bit (bit + 1) x * 2 + u32.get_bit bit x) xs
  let flags = map (\b -> (i64.bool (b == 0), i64.bool (b == 1), i64.bool (b == 2), i64.bool (b == 3))) bins
  let offsets = scan (\(a, b, c, d) (e, f, g, h) -> (a + e, b + f, c + g, d + h)) (0, 0, 0, 0) flags
  let (n0, n1, n2, _) = if n == 0 then (0, 0, 0, 0) else last offsets
  let places =
    map2 (\bin (a, b, c, d) -> match bin
                               case 0 -> a - 1
                               case 1 -> n0 + b - 1
                               case 2 -> n0 + n1 + c - 1
                               case _ -> n0 + n1 + n2 + d - 1) bins offsets
  in scatter (copy xs) places xs

def sorted (xs: []u32) : []u32 = loop xs for i < 16 do step xs (2 * i)

entry sorts (n: i64) : bool =
  let xs = tabulate n (\i -> u32.i64 (i * 2654435761) ^ u32.i64 (i * i))
  let ys = sorted xs
  let in_order = and (tabulate (n - 1 |> i64.max 0) (\i -> ys[i] <= ys[i + 1]))
  in in_order && u32.sum xs == u32.sum ys && reduce (^) 0 xs == reduce (^) 0 ys

-- The total is read twice, and besides the scan by a map that writes.
entry totals [n] (xs: [n]i32) : ([n]i64, i64, i64) =
  let ranks = scan (+) 0 (map (\x -> i64.bool (x != 1)) xs)
  let others = if n == 0 then 0 else last ranks
  let places = map2 (\x r -> if x == 1 then -1 else others - r) xs ranks
  in (scatter (replicate n 9) places (iota n), others, others * 2 + n)

-- Places outside are left out, as the total says.
entry outside [n] (xs: [n]i32) : [n]i32 =
  let ones = scan (+) 0 (map i64.i32 xs)
  let k = last ones
  let places = map2 (\x o -> if x == 1 then o - 1 else k + n) xs ones
  in scatter (map (\x -> 1 - x) xs) places (map (+ 1) xs)
