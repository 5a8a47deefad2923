-- Quotients, remainders and masks of an index that is that of a larger range: in tasks, or by a sum in the program. What
-- does not begin with a strip, or below zero, is not mined.
-- ==
-- entry: quotients
-- input { 1000i64 16i64 } output { true }
-- input { 4096i64 64i64 } output { true }
-- input { 4100i64 48i64 } output { true }
-- input { 4096i64 4096i64 } output { true }
-- input { 50i64 64i64 } output { true }
-- input { 0i64 8i64 } output { true }
-- input { 100i64 1i64 } output { true }

-- ==
-- entry: masks
-- input { 1024i64 32i64 } output { true }
-- input { 4096i64 64i64 } output { true }
-- input { 1000i64 128i64 } output { true }
-- input { 100i64 1i64 } output { true }

-- ==
-- entry: shifted
-- input { 1000i64 16i64 0i64 } output { true }
-- input { 1000i64 16i64 32i64 } output { true }
-- input { 1000i64 16i64 33i64 } output { true }
-- input { 1000i64 16i64 -16i64 } output { true }
-- input { 1000i64 16i64 -7i64 } output { true }
-- input { 1000i64 16i64 -4000i64 } output { true }

-- ==
-- entry: shifted_masks
-- input { 1000i64 64i64 0i64 } output { true }
-- input { 1000i64 64i64 64i64 } output { true }
-- input { 1000i64 64i64 65i64 } output { true }
-- input { 1000i64 64i64 -64i64 } output { true }
-- input { 1000i64 64i64 -1i64 } output { true }

-- One element after the other.
def one_by_one (n: i64) (f: i64 -> i64) : [n]i64 =
  loop xs = replicate n 0 for i < n do xs with [i] = f i

def same [n] (xs: [n]i64) (ys: [n]i64) : bool = and (map2 (==) xs ys)

entry quotients (n: i64) (d: i64) : bool =
  let f i =
    let k = i % d
    let low = i % (2 * d) < d
    let j = i / (2 * d) * d + k
    in if low then j * 3 + 1 else j * 5 + i / d
  in same (tabulate n f) (one_by_one n f)

entry masks (n: i64) (d: i64) : bool =
  let f i =
    let other = i ^ d
    in if i & d == 0 then other * 3 + i else i * 5 + (i ^ (d - 1))
  in same (tabulate n f) (one_by_one n f)

entry shifted (n: i64) (d: i64) (c: i64) : bool =
  let f j =
    let i = j + c
    in i / d * 7 + i % d + (if i % (2 * d) < d then 100 else 0)
  in same (tabulate n f) (one_by_one n f)

entry shifted_masks (n: i64) (d: i64) (c: i64) : bool =
  let f j =
    let i = j + c
    in if i & d == 0 then (i ^ d) * 3 else i & (d - 1)
  in same (tabulate n f) (one_by_one n f)
