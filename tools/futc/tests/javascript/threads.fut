-- What threads.mjs and threads.html call.
entry sum (n: i64) : i64 = i64.sum (map (\i -> i * i % 7) (iota n))
entry ramp (n: i64) : []f64 = map f64.i64 (iota n)
entry total (xs: []f64) : f64 = f64.sum (map f64.sqrt xs)
entry upto [n] (xs: [n]f64) : [n]f64 = scan (+) 0 xs

-- Fails for all i from k on; the first is told.
entry pick (n: i64) (k: i64) : i64 =
  let xs = iota n
  in i64.sum (map (\i -> xs[if i >= k then n + i else i] % 7) (iota n))

def down (n: i64) (m: i64) : i64 =
  if n == 0 then 1 else i64.sum (map (\i -> (i + n) % 7) (iota m)) ^ (down (n - 1) m * 3)
-- Recursion with arrays of its own, too deep for one of all tasks.
entry deep (n: i64) (k: i64) : i64 =
  i64.sum (map (\i -> down (if i == k then 1000000000 else i % 20) 20) (iota n))
