-- Quotients and remainders of an index where each task has a range of it, by what is known and by what is not.

def checksum [n] (xs: [n]i64) : i64 =
  loop h = 17 for x in xs do (h * 31 + x) % 1000003

-- ==
-- entry: digits
-- input { 0i64 } output { 17i64 17i64 }
-- input { 1i64 } output { 527i64 527i64 }
-- input { 1000i64 } output { 251625i64 263105i64 }
-- input { 300001i64 } output { 226649i64 308926i64 }
entry digits (n: i64) : (i64, i64) =
  let xs = map (\i -> i % 10 + 3 * (i / 7)) (iota n)
  let ys = map (\i -> i // 9 - i %% 11) (iota n)
  in (checksum xs, checksum ys)

-- Of what is negative, as well.
-- ==
-- entry: shifted
-- input { 200000i64 150000i64 6i64 } output { 936914i64 655812i64 }
-- input { 200000i64 -9i64 -6i64 } output { 246808i64 98640i64 }
-- input { 3i64 9223372036854775807i64 5i64 } output { 278804i64 508434i64 }
entry shifted (n: i64) (by: i64) (d: i64) : (i64, i64) =
  let xs = map (\i -> (i - by) % 10 + (i - by) / 7) (iota n)
  let ys = map (\i -> (i + by) % d) (iota n)
  in (checksum xs, checksum ys)

-- In turn, by halves and quarters, of odd numbers of elements.
-- ==
-- entry: turns
-- input { 0i64 } output { 17i64 17i64 506447i64 }
-- input { 1i64 } output { 527i64 527i64 506447i64 }
-- input { 5i64 } output { 697029i64 697029i64 508730i64 }
-- input { 200003i64 } output { 963989i64 655073i64 172200i64 }
entry turns (n: i64) : (i64, i64, i64) =
  let xs = map (\i -> i * 3) (iota n)
  let ys = map (\i -> i * i % 101) (iota n)
  let a = map (\i -> if i % 2 == 0 then xs[i / 2] else ys[i / 2]) (iota n)
  let b = map (\i -> if i % 4 == 3 then ys[i / 4] + 1 else xs[(i - i % 2) / 2]) (iota n)
  let c = tabulate 3 (\j -> i64.sum (map (\i -> if i % 2 == 0 then xs[i / 2] * j else 1) (iota n)))
  in (checksum a, checksum b, checksum c)

-- Out of turn.
-- ==
-- entry: too_far
-- input { 100001i64 } error: Index \[50000\]
-- input { 100000i64 } error: Index \[50000\]
entry too_far (n: i64) : i64 =
  let xs = map (\i -> i * 3) (iota (n / 2))
  in checksum (map (\i -> if i % 2 == 0 then xs[i / 2] else xs[i / 2 + 1]) (iota n))

-- Rows and columns.
-- ==
-- entry: grid
-- input { 400i64 300i64 } output { 328673i64 137076i64 }
-- input { 1i64 1i64 } output { 527i64 527i64 }
entry grid (h: i64) (w: i64) : (i64, i64) =
  let xs = map (\i -> let (r, c) = (i / w, i % w) in if r == c then 0 else r * 7 - c) (iota (h * w))
  let ys = tabulate_2d h w (\i j -> (i * w + j) % 5 - j / 3)
  in (checksum xs, checksum (flatten ys))

-- Exact sums in buckets, and those of floats whose sums are exact, too.
-- ==
-- entry: buckets
-- input { 200000i64 4000i64 } output { 673940i64 307429i64 }
-- input { 200000i64 3i64 } output { 99292i64 205361i64 }
-- input { 0i64 3i64 } output { 511412i64 506447i64 }
entry buckets (n: i64) (k: i64) : (i64, i64) =
  let is = map (\i -> (i * 7919) % k) (iota n)
  let a = reduce_by_index (replicate k 5) (+) 0 is (map (% 17) (iota n))
  let b = hist (+) 0f64 k is (map (\i -> f64.i64 (i % 8)) (iota n))
  in (checksum a, checksum (map i64.f64 b))
