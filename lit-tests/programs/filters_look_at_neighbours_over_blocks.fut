-- Filters that ask for the elements before and after, at both ends of what is cut into ranges.

def mix (i: i64) : i64 = (i * 7919 + 13) % 10007

def checksum [n] (xs: [n]i64) : i64 =
  loop h = 17 for x in xs do (h * 31 + x) % 1000003

-- The first of each run, and where it is.
-- ==
-- entry: firsts
-- input { 0i64 } output { 0i64 17i64 17i64 }
-- input { 1i64 } output { 1i64 528i64 527i64 }
-- input { 2i64 } output { 1i64 528i64 527i64 }
-- input { 70001i64 } output { 4870i64 104522i64 694315i64 }
entry firsts (n: i64) : (i64, i64, i64) =
  let xs = map (\i -> mix (i / 3) % 4) (iota n)
  let (ys, is) = unzip (filter (\(x, i) -> i == 0 || x != xs[i - 1]) (zip xs (iota n)))
  in (length ys, checksum ys, checksum is)

-- The last of each run.
-- ==
-- entry: lasts
-- input { 0i64 } output { 0i64 17i64 }
-- input { 1i64 } output { 1i64 528i64 }
-- input { 33i64 } output { 5i64 619580i64 }
-- input { 50000i64 } output { 5218i64 44185i64 }
entry lasts (n: i64) : (i64, i64) =
  let xs = map (\i -> mix (i / 2) % 3) (iota n)
  let ys = map (.0) (filter (\(x, i) -> i == n - 1 || x != xs[i + 1]) (zip xs (iota n)))
  in (length ys, checksum ys)

-- Peaks, of which neither end is one, and the rest.
-- ==
-- entry: peaks
-- input { 0i64 } output { 0i64 17i64 17i64 }
-- input { 1i64 } output { 0i64 17i64 527i64 }
-- input { 2i64 } output { 0i64 17i64 16338i64 }
-- input { 3i64 } output { 1i64 528i64 16339i64 }
-- input { 40003i64 } output { 8347i64 188826i64 926638i64 }
entry peaks (n: i64) : (i64, i64, i64) =
  let xs = map mix (iota n)
  let peak i = i > 0 && i < n - 1 && xs[i] > xs[i - 1] && xs[i] > xs[i + 1]
  let (ys, zs) = partition peak (iota n)
  in (length ys, checksum ys, checksum zs)

-- Beginnings of words, of a sum that goes around them.
-- ==
-- entry: changes
-- input { 0i64 } output { 0i64 17i64 }
-- input { 1i64 } output { 1i64 527i64 }
-- input { 60000i64 } output { 8003i64 57721i64 }
entry changes (n: i64) : (i64, i64) =
  let blank = map (\i -> mix i % 5 == 0) (iota n)
  let depth = scan (+) 0 (map i64.bool blank)
  let ws = filter (\(d, i) -> !blank[i] && (i == 0 || blank[i - 1]) && d % 3 != 1) (zip depth (iota n))
  in (length ws, checksum (map (\(d, i) -> d * 7 + i) ws))

-- An element that is not there.
-- ==
-- entry: outside
-- input { 50000i64 0i64 } error: Index \[-1\]
-- input { 50000i64 1i64 } output { 518458i64 }
entry outside (n: i64) (first: i64) : i64 =
  let xs = map mix (iota n)
  in checksum (filter (\i -> (i < first && i > 0) || xs[if i >= first then i - 1 else i] % 2 == 0) (iota n))
