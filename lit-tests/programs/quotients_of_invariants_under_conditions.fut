-- Elements at quotients and remainders of what is the same in all points, or in some that are neighbours, where a condition holds: points in which
-- it does not hold decide nothing. The conditions hold at `q` and at every seventh point.
def places (n: i64) (q: i64) = tabulate n (\i -> i == q || i % 7 == 5)

-- ==
-- entry: element
-- input { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23] 2i64 }
-- output { [0, 0, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
entry element [n] (xs: [n]i32) (q: i64) = tabulate n (\i -> if i == q then xs[(n - 1) % n] else 0)

-- The elements of xs are their indexes.
def same [n] (xs: [n]i64) (q: i64) (at: i64 -> i64) =
  let holds = places n q
  let zs = tabulate n (\i -> if holds[i] then xs[at i] else -1)
  in and (map3 (\i h z -> z == if h then at i else -1) (iota n) holds zs)

-- ==
-- entry: unsigned signed neighbours
-- input { 40i64 2i64 11i64 7i64 } output { true }
-- input { 40i64 39i64 39i64 40i64 } output { true }
-- input { 75i64 17i64 31i64 3i64 } output { true }
-- input { 133i64 1i64 131i64 1i64 } output { true }
entry unsigned (n: i64) (q: i64) (x: i64) (y: i64) =
  let f op = same (iota n) q (\_ -> op x y)
  in f (\a b -> i64.u64 (u64.i64 a / u64.i64 b))
     && f (\a b -> i64.u32 (u32.i64 a % u32.i64 b))
     && f (\a b -> i64.u16 (u16.i64 a // u16.i64 b))
     && f (\a b -> i64.u8 (u8.i64 a %% u8.i64 b))

entry signed (n: i64) (q: i64) (x: i64) (y: i64) =
  let f op = same (iota n) q (\_ -> op x y)
  in f (/)
     && f (%)
     && f (//)
     && f (%%)
     && f (\a b -> i64.i32 (i32.i64 a / i32.i64 b))
     && f (\a b -> i64.i32 (i32.i64 a % i32.i64 b))
     && f (\a b -> i64.i16 (i16.i64 a // i16.i64 b))

entry neighbours (n: i64) (q: i64) (x: i64) (y: i64) =
  let f op = same (iota n) q (\i -> op ((i + x % 2) / 8) y)
  in f (/) && f (%) && f (//) && f (%%) && f (\a b -> i64.u32 (u32.i64 a % u32.i64 b))
