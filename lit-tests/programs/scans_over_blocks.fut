-- Scans of one row that are long enough for several tasks: of several values, with results beside what is scanned, with
-- bodies that fail, and with operators that do not commute.

def mix (i: i64) : i64 = (i * 7919 + 13) % 10007

def checksum [n] (xs: [n]i64) : i64 =
  loop h = 17 for x in xs do (h * 31 + x) % 1000003

-- ==
-- entry: sums
-- input { 0i64 } output { 0i64 17i64 }
-- input { 1i64 } output { 13i64 540i64 }
-- input { 100i64 } output { 503281i64 951302i64 }
-- input { 4096i64 } output { 20489485i64 839490i64 }
-- input { 100001i64 } output { 500310083i64 814728i64 }
entry sums (n: i64) : (i64, i64) =
  let xs = scan (+) 0 (map mix (iota n))
  in (if n == 0 then 0 else last xs, checksum xs)

-- Linear functions in composition: the order counts.
-- ==
-- entry: linear
-- input { 3i64 } output { 944578i64 512325i64 }
-- input { 5000i64 } output { 281243i64 758151i64 }
-- input { 60000i64 } output { 65675i64 102404i64 }
entry linear (n: i64) : (i64, i64) =
  let (as, bs) =
    unzip (scan (\(a, b) (c, d) -> (a * c % 65537, (b * c + d) % 65537)) (1, 0)
                (map (\i -> (mix i + 1, i)) (iota n)))
  in (checksum as, checksum bs)

-- Segments, and a map that shares the pass.
-- ==
-- entry: segments
-- input { 50000i64 } output { 670326i64 434367i64 }
-- input { 7i64 } output { 939439i64 36748i64 }
entry segments (n: i64) : (i64, i64) =
  let flags = map (\i -> mix i % 50 == 0) (iota n)
  let (_, ys) =
    unzip (scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0)
                (zip flags (map mix (iota n))))
  in (checksum ys, checksum (map i64.bool flags))

-- Sums of floats that are exact, and greatest elements.
-- ==
-- entry: floats
-- input { 30000i64 } output { 994757i64 611885i64 }
-- input { 2i64 } output { 16448i64 24672i64 }
entry floats (n: i64) : (i64, i64) =
  let xs = scan (+) 0 (map (\i -> f32.i64 (mix i % 64) / 4) (iota n))
  let ys = scan f64.max f64.lowest (map (\i -> f64.i64 (mix i)) (iota n))
  in (checksum (map i64.f32 xs), checksum (map i64.f64 ys))

-- The first element that fails is reported.
-- ==
-- entry: fails
-- input { 40000i64 1000000i64 } output { 126527i64 }
-- input { 40000i64 39999i64 } error: Index \[39999\] out of bounds
-- input { 40000i64 100i64 } error: Index \[100\] out of bounds
entry fails (n: i64) (m: i64) : i64 =
  let xs = iota (i64.min n m)
  in checksum (scan (+) 0 (map (\i -> xs[i]) (iota n)))
