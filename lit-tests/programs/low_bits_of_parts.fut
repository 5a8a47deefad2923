-- Lower bits of what is made of an index by sums, differences and products are computed from lower bits, in tasks from those of
-- the index in the task's range.
-- ==
-- entry: words
-- input { 1000i64 7i64 } output { true }
-- input { 300i64 -9000000000i64 } output { true }
-- input { 0i64 1i64 } output { true }

-- ==
-- entry: bytes
-- input { 1000i64 7i64 } output { true }
-- input { 300i64 -9000000000i64 } output { true }

-- ==
-- entry: rows
-- input { 40i64 30i64 5i64 } output { true }
-- input { 3i64 500i64 -77i64 } output { true }

-- ==
-- entry: sums
-- input { 1000i64 7i64 } output { true }
-- input { 3000i64 -9000000000i64 } output { true }

-- One element after the other.
def one_by_one (n: i64) (f: i64 -> i64) : [n]i64 =
  loop xs = replicate n 0 for i < n do xs with [i] = f i

def same [n] (xs: [n]i64) (ys: [n]i64) : bool = and (map2 (==) xs ys)

entry words (n: i64) (c: i64) : bool =
  let f i =
    let x = u32.i64 (2 * i + 1)
    let y = i32.i64 (c - i * i)
    in i64.u32 (x ^ (x >> 3)) + i64.i32 (y / 3)
  in same (tabulate n f) (one_by_one n f)

entry bytes (n: i64) (c: i64) : bool =
  let f i =
    let j = i + c
    let x = u8.i64 (j * (3 - i))
    let y = i16.i64 (j - 2 * j * c)
    in i64.u8 (x >> 1) + i64.i16 (y >> 2) + j
  in same (tabulate n f) (one_by_one n f)

entry rows (n: i64) (m: i64) (c: i64) : bool =
  let f i j = i64.u16 (u16.i64 (i * m + j * c) >> 2)
  in and (map2 same (tabulate_2d n m f) (loop xs = replicate n (replicate m 0) for i < n do xs with [i] = one_by_one m (f i)))

entry sums (n: i64) (c: i64) : bool =
  let f i = i64.u32 (u32.i64 (c * i + 2 * i) >> 7)
  in i64.sum (tabulate n f) == (loop s = 0 for i < n do s + f i)
