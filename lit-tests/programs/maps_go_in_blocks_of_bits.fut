-- Bits of the index have one value in a block, whatever the masks are. What a map makes is compared
-- with what a loop makes.
-- ==
-- entry: masked
-- input { 1000i64 64i64 128i64 } output { true }
-- input { 1000i64 64i64 64i64 } output { true }
-- input { 1024i64 96i64 512i64 } output { true }
-- input { 100i64 32i64 0i64 } output { true }
-- input { 100i64 0i64 0i64 } output { true }
-- input { 200i64 -64i64 32i64 } output { true }
-- input { 200i64 -9223372036854775808i64 -9223372036854775808i64 } output { true }
-- input { 200i64 4611686018427387904i64 64i64 } output { true }
-- input { 100i64 7i64 33i64 } output { true }
-- input { 0i64 64i64 64i64 } output { true }

-- ==
-- entry: all_below
-- input { 1000i64 64i64 } output { true }
-- input { 1000i64 32i64 } output { true }
-- input { 1000i64 96i64 } output { true }
-- input { 100i64 0i64 } output { true }
-- input { 100i64 -64i64 } output { true }
-- input { 100i64 5i64 } output { true }
-- input { 100i64 -9223372036854775808i64 } output { true }

-- ==
-- entry: partners
-- input { 128i64 64i64 } output { true }
-- input { 256i64 33i64 } output { true }
-- input { 100i64 64i64 } error: Index \[100\] out of bounds for array of shape \[100\]
-- input { 128i64 -64i64 } error: Index \[-64\] out of bounds for array of shape \[128\]

-- ==
-- entry: halves
-- input { 100i64 8i64 } output { true }
-- input { 1000i64 50i64 } output { true }
-- input { 1000i64 1i64 } output { true }
-- input { 100i64 1000i64 } output { true }
-- input { 100i64 -9i64 } output { true }
-- input { 100i64 4611686018427387904i64 } output { true }
-- input { 100i64 0i64 } error: division by zero

def same [n] (xs: [n]i64) (f: i64 -> i64) : bool =
  loop ok = true for i < n do ok && xs[i] == f i

entry masked (n: i64) (a: i64) (b: i64) : bool =
  let f i = (i ^ a) + 3 * (i & b) - 7 * (i | b) + (a & i) + (i & 1)
  in same (tabulate n f) f

entry all_below (n: i64) (d: i64) : bool =
  let f i = (i ^ (d - 1)) + 3 * (i & (d - 1)) - 7 * (i | (d - 1)) + (i & d)
  in same (tabulate n f) f

entry partners (n: i64) (d: i64) : bool =
  let xs = map (\i -> i * i) (iota n)
  let ys = tabulate n (\i -> let x = xs[i ^ d] in if i & d == 0 then x + 1 else x - 1)
  in same ys (\i -> let x = (i ^ d) * (i ^ d) in if i & d == 0 then x + 1 else x - 1)

entry halves (n: i64) (h: i64) : bool =
  let f i = (i / h) * 100 + (if i % (2 * h) < h then 3 else 4)
            + (if i % (3 * h) >= h then 10 else 20) + (if i % (3 * h) > h then 50 else 60)
  in same (tabulate n f) f

-- An index after it has been shifted, masked by what it was: no block has one value of that.
-- ==
-- entry: by_itself
-- input { 5i64 } output { [1i64, 3i64, 1i64, 7i64, 1i64] [0i64, 0i64, 2i64, 0i64, 4i64] [false, false, true, true, true] }
entry by_itself (n: i64) : ([]i64, []i64, []bool) =
  (map (\i -> (i + 1) ^ i) (iota n),
   map (\i -> (i + 1) & i) (iota n),
   map (\i -> i > 0 && (i + 1) % i <= 1 && (i + 1) / i >= 1 && i > 1) (iota n))
