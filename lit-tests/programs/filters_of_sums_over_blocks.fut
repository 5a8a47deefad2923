-- Filters of what is scanned, long enough for several tasks: each begins with what has been accumulated before its range.

def mix (i: i64) : i64 = (i * 7919 + 13) % 10007

def checksum [n] (xs: [n]i64) : i64 =
  loop h = 17 for x in xs do (h * 31 + x) % 1000003

-- ==
-- entry: of_sums
-- input { 0i64 } output { 0i64 17i64 }
-- input { 1i64 } output { 0i64 17i64 }
-- input { 2i64 } output { 0i64 17i64 }
-- input { 70000i64 } output { 23564i64 816859i64 }
entry of_sums (n: i64) : (i64, i64) =
  let sums = scan (+) 0 (map (\i -> i32.i64 (mix i) * 65537) (iota n))
  let xs = filter (\s -> s % 3 == 0) sums
  in (length xs, checksum (map i64.i32 xs))

-- Sums of the type that counts have, beside what they are sums of.
-- ==
-- entry: of_pairs
-- input { 0i64 } output { 0i64 17i64 17i64 }
-- input { 5i64 } output { 3i64 704676i64 247179i64 }
-- input { 50000i64 } output { 21321i64 420470i64 533152i64 }
entry of_pairs (n: i64) : (i64, i64, i64) =
  let xs = map mix (iota n)
  let (ss, ys) = unzip (filter (\(s, x) -> (s + x) % 7 < 3) (zip (scan (+) 0 xs) xs))
  in (length ss, checksum ss, checksum ys)

-- The places of ones, and records from the left.
-- ==
-- entry: records
-- input { 0i64 } output { 0i64 17i64 }
-- input { 1i64 } output { 1i64 527i64 }
-- input { 40000i64 } output { 437i64 330689i64 }
entry records (n: i64) : (i64, i64) =
  let xs = map (\i -> mix i * i) (iota n)
  let most = scan i64.max i64.lowest xs
  let kept = filter (\(m, x) -> m == x) (zip most xs)
  in (length kept, checksum (map (.1) kept))

-- ==
-- entry: ones
-- input { 0i64 } output { 0i64 17i64 }
-- input { 33000i64 } output { 3301i64 359587i64 }
entry ones (n: i64) : (i64, i64) =
  let flags = map (\i -> mix i % 5 == 0) (iota n)
  let upto = scan (+) 0 (map i64.bool flags)
  let odd = map (.0) (filter (\(u, f) -> f && u % 2 == 1) (zip upto flags))
  in (length odd, checksum odd)

-- Several at a time: an exclusive sum, what all have in common, and whether there was something.
-- ==
-- entry: several
-- input { 0i64 } output { 0i64 17i64 17i64 }
-- input { 3i64 } output { 1i64 527i64 604i64 }
-- input { 45000i64 } output { 44118i64 930243i64 63511i64 }
entry several (n: i64) : (i64, i64, i64) =
  let xs = map (\i -> mix i | 64) (iota n)
  let before = exscan (+) 0 (map u8.i64 xs)
  let common = scan (&) (-1) xs
  let some = scan (||) false (map (== 69) xs)
  let kept = filter (\(b, c, s, _) -> (s || b % 2 == 0) && c >= 64) (zip4 before common some xs)
  in (length kept, checksum (map (\(b, _, _, _) -> i64.u8 b) kept), checksum (map (.3) kept))

-- Two parts.
-- ==
-- entry: parts
-- input { 0i64 } output { 0i64 17i64 17i64 }
-- input { 60000i64 } output { 23918i64 841743i64 217054i64 }
entry parts (n: i64) : (i64, i64, i64) =
  let (xs, ys) = partition (\s -> s % 5 < 2) (scan (+) 0 (map mix (iota n)))
  in (length xs, checksum xs, checksum ys)

-- The first that fails is the first of the loop, whatever it is that fails.
-- ==
-- entry: fails
-- input { 40000i64 -1i64 -1i64 } output { 669530i64 }
-- input { 40000i64 39000i64 -1i64 } error: Index \[40001\]
-- input { 40000i64 -1i64 39000i64 } error: Index \[40002\]
entry fails (n: i64) (p: i64) (q: i64) : i64 =
  let xs = map mix (iota n)
  let elements = map (\i -> xs[if i == p then 40001 else i]) (iota n)
  let kept = filter (\(s, i) -> (s + xs[if i == q then 40002 else n - 1 - i]) % 3 == 0) (zip (scan (+) 0 elements) (iota n))
  in checksum (map (.0) kept)
