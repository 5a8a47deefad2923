-- Divisions in loops by what is the same throughout, of words and of what was made of them, at the
-- ends of their types; against the same on numbers of twice the width.
-- ==
-- entry: words long mixed
-- input { [1u32, 2u32, 3u32, 7u32, 10u32, 255u32, 256u32, 65521u32, 65536u32, 2147483647u32,
--          2147483648u32, 2147483649u32, 4294967294u32, 4294967295u32] }
-- output { true }

-- ==
-- entry: by_none
-- input { 0u32 [5u32] } error: division by zero
-- input { 0u32 empty([0]u32) } output { 0u32 }
-- input { 4u32 [5u32, 8u32] } output { 1u32 }

def dividends (y: u32) : []u32 =
  [0, 1, 2, y - 1, y, y + 1, 2 * y - 1, 2 * y, 3 * y + 1, 0x7fffffff, 0x80000000, 0xfffffffe,
   0xffffffff, 123456789]

entry words (ys: []u32) : bool =
  loop ok = true for y in ys do
    loop ok for x in dividends y do
      ok && u64.u32 (x / y) == u64.u32 x / u64.u32 y && u64.u32 (x % y) == u64.u32 x % u64.u32 y

entry long (ys: []u32) : bool =
  loop ok = true for y in ys do
    let n = i64.u32 y
    let m = n * 4097
    in loop ok for x in dividends y do
         let a = i64.u32 x
         in ok && (a / n) * n + a % n == a && 0 <= a % n && a % n < n
               && a // n == a / n && a %% n == a % n
               && (a / m) * m + a % m == a && 0 <= a % m && a % m < m

-- Read through a table that need not be made.
entry mixed (ys: []u32) : bool =
  loop ok = true for y in ys do
    let xs = dividends y
    let n = length xs
    let buckets = map (\x -> i64.u32 x % n) xs
    let places = map (\i -> (i * 5 + 3) % n) (indices xs)
    in ok && loop ok = true for i in places do ok && buckets[buckets[i]] == i64.u32 xs[i64.u32 xs[i] % n] % n

entry by_none (y: u32) (xs: []u32) : u32 = loop sum = 0 for x in xs do sum + x % y
