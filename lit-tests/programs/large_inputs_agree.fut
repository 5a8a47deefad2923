-- Enough elements for every way of splitting the work; sums are compared with closed forms.
-- ==
-- entry: closed_forms
-- input { 100000i64 } output { true true true true }
-- input { 65537i64 } output { true true true true }
-- input { 1i64 } output { true true true true }

-- ==
-- entry: permuted
-- input { 10007i64 } output { true true }

-- ==
-- entry: segments
-- input { 100i64 257i64 } output { true true }
-- input { 3000i64 3i64 } output { true true }
-- input { 1i64 70000i64 } output { true true }

-- ==
-- entry: counted
-- input { 100003i64 10i64 } output { true 100003i64 }
-- input { 1000i64 5000i64 } output { true 1000i64 }

entry closed_forms (n: i64) =
  let xs = iota n
  let sums = scan (+) 0 xs
  let evens = filter (\x -> x % 2 == 0) xs
  in ( i64.sum xs == n * (n - 1) / 2
     , and (map2 (\i s -> s == i * (i + 1) / 2) xs sums)
     , length evens == (n + 1) / 2 && and (map2 (\i x -> x == 2 * i) (indices evens) evens)
     , i64.maximum (map (\i -> (i * 7919) % n) xs) == (if n == 1 then 0 else n - 1))

-- 7919 and the size have no common divisor.
entry permuted (n: i64) =
  let is = map (\i -> i * 7919 % n) (iota n)
  let xs = scatter (replicate n (-1)) is (iota n)
  in (and (map (\i -> xs[is[i]] == i) (iota n)), i64.sum xs == n * (n - 1) / 2)

entry segments (n: i64) (m: i64) =
  let xss = tabulate_2d n m (\i j -> i + j)
  in ( and (map2 (\i xs -> i64.sum xs == m * i + m * (m - 1) / 2) (iota n) xss)
     , and (map2 (\i xs -> last (scan (+) 0 xs) == m * i + m * (m - 1) / 2) (iota n) xss))

entry counted (n: i64) (k: i64) =
  let bins = hist (+) 0 k (map (% k) (iota n)) (replicate n 1i64)
  in (and (map2 (\i c -> c == n / k + i64.bool (i < n % k)) (iota k) bins), i64.sum bins)
