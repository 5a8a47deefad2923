-- Filters and partitions that are long enough for several tasks: in order, and of several values.

def mix (i: i64) : i64 = (i * 7919 + 13) % 10007

def checksum [n] (xs: [n]i64) : i64 =
  loop h = 17 for x in xs do (h * 31 + x) % 1000003

-- ==
-- entry: kept
-- input { 0i64 } output { 0i64 17i64 }
-- input { 1i64 } output { 1i64 540i64 }
-- input { 4095i64 } output { 1365i64 722986i64 }
-- input { 50000i64 } output { 16666i64 583171i64 }
entry kept (n: i64) : (i64, i64) =
  let xs = filter (\x -> x % 3 == 1) (map mix (iota n))
  in (length xs, checksum xs)

-- Nothing is kept, and all is.
-- ==
-- entry: none_or_all
-- input { 30000i64 0i64 } output { 0i64 17i64 }
-- input { 30000i64 20000i64 } output { 30000i64 954927i64 }
-- input { 30000i64 5000i64 } output { 14989i64 903905i64 }
entry none_or_all (n: i64) (limit: i64) : (i64, i64) =
  let xs = filter (\x -> x < limit) (map mix (iota n))
  in (length xs, checksum xs)

-- ==
-- entry: of_pairs
-- input { 20000i64 } output { 11813i64 223271i64 699746i64 }
-- input { 3i64 } output { 2i64 268073i64 123145i64 }
entry of_pairs (n: i64) : (i64, i64, i64) =
  let (xs, ys) = unzip (filter (\(x, y) -> i64.f32 y * 2 < x) (map (\i -> (mix i, f32.i64 (mix (i + 5) % 4096))) (iota n)))
  in (length xs, checksum xs, checksum (map i64.f32 ys))

-- ==
-- entry: halves
-- input { 0i64 } output { 0i64 17i64 17i64 }
-- input { 7i64 } output { 1i64 4283i64 47477i64 }
-- input { 30000i64 } output { 12003i64 101760i64 367630i64 }
entry halves (n: i64) : (i64, i64, i64) =
  let (xs, ys) = partition (\x -> x % 5 < 2) (map mix (iota n))
  in (length xs, checksum xs, checksum ys)

-- ==
-- entry: thirds
-- input { 2i64 } output { 0i64 1i64 17i64 8459i64 540i64 }
-- input { 25000i64 } output { 3566i64 7150i64 427747i64 940331i64 668323i64 }
entry thirds (n: i64) : (i64, i64, i64, i64, i64) =
  let (xs, ys, zs) = partition2 (\x -> x % 7 == 0) (\x -> x % 7 < 3) (map mix (iota n))
  in (length xs, length ys, checksum xs, checksum ys, checksum zs)

-- The first element that fails is reported.
-- ==
-- entry: fails
-- input { 30000i64 30000i64 } output { 482155i64 }
-- input { 30000i64 29000i64 } error: Index \[29000\] out of bounds
entry fails (n: i64) (m: i64) : i64 =
  let xs = map mix (iota m)
  in checksum (filter (\i -> xs[i] % 2 == 0) (iota n))
