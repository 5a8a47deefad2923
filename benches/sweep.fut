-- Forms of parallelism at any size: `rounds` times over about `n` elements. Each round depends on the one before, so that
-- none is left out.

-- Numbers that no pass knows.
def numbers (n: i64): [n]i32 = map (\i -> i32.i64 (i * 7919 + 13) % 1009) (iota n)

entry maps (rounds: i64) (n: i64): i32 =
  let xs = loop xs = numbers n for _i < rounds do map (\x -> x * 3 + 1) xs
  in xs[n / 2]

entry roots (rounds: i64) (n: i64): f32 =
  let xs = loop xs = map f32.i32 (numbers n) for _i < rounds do map (\x -> f32.sqrt (x * x + 1)) xs
  in xs[n / 2]

entry sums (rounds: i64) (n: i64): i32 =
  let xs = numbers n
  in loop s = 0 for _i < rounds do reduce (+) 0 (map (\x -> x ^ s) xs)

entry extremes (rounds: i64) (n: i64): (i32, i64) =
  let xs = numbers n
  let largest (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  in loop (s, i) = (0, 0) for _i < rounds do
       reduce_comm largest (i32.lowest, i) (zip (map (\x -> x ^ s) xs) (iota n))

entry scans (rounds: i64) (n: i64): i32 =
  let xs = loop xs = numbers n for _i < rounds do scan (+) 0 xs
  in xs[n - 1]

entry scans_of_floats (rounds: i64) (n: i64): f32 =
  let xs = loop xs = map f32.i32 (numbers n) for _i < rounds do
             map (\x -> x * 0.001) (scan (+) 0 xs)
  in xs[n - 1]

entry histograms (rounds: i64) (n: i64): i32 =
  let ks = map i64.i32 (numbers n)
  let hs = loop hs = replicate 1009 0 for _i < rounds do
             reduce_by_index hs (+) 0 ks (map (\k -> i32.i64 k ^ hs[0]) ks)
  in hs[13]

entry large_histograms (rounds: i64) (n: i64): i32 =
  let ks = map (\i -> (i * 7919 + 13) % n) (iota n)
  let hs = loop hs = replicate n 0 for _i < rounds do
             reduce_by_index hs (+) 0 ks (map (\k -> i32.i64 k ^ hs[0]) ks)
  in hs[n / 2]

entry scatters (rounds: i64) (n: i64): i32 =
  let is = map (\i -> (i * 7919 + 13) % n) (iota n)
  let xs = loop xs = numbers n for r < rounds do scatter xs is (map (\i -> i32.i64 (i + r)) is)
  in xs[n / 2]

entry gathers (rounds: i64) (n: i64): i32 =
  let is = map (\i -> (i * 7919 + 13) % n) (iota n)
  let xs = loop xs = numbers n for _i < rounds do map (\i -> xs[i] + 1) is
  in xs[n / 2]

entry filters (rounds: i64) (n: i64): i64 =
  let xs = numbers n
  in loop s = 0 for _i < rounds do length (filter (\x -> (x ^ i32.i64 s) & 1 == 0) xs)

entry partitions (rounds: i64) (n: i64): i64 =
  let xs = numbers n
  in loop s = 0 for _i < rounds do
       let (as, bs) = partition (\x -> (x ^ i32.i64 s) % 3 == 0) xs
       in length as + (if null bs then 1 else i64.i32 (bs[0] & 1))

entry many_short_sums (rounds: i64) (n: i64): i32 =
  let m = i64.max 1 (n / 16)
  let xss = tabulate_2d m 16 (\i j -> i32.i64 (i * 7 + j) % 1009)
  let ys = loop ys = replicate m 0 for _i < rounds do map2 (\xs y -> i32.sum (map (^ y) xs)) xss ys
  in ys[m / 2]

entry few_long_sums (rounds: i64) (n: i64): i32 =
  let m = i64.max 1 (n / 4)
  let xss = tabulate_2d 4 m (\i j -> i32.i64 (i * 7 + j) % 1009)
  let ys = loop ys = replicate 4 0 for _i < rounds do map2 (\xs y -> i32.sum (map (^ y) xs)) xss ys
  in i32.sum ys

entry many_short_scans (rounds: i64) (n: i64): i32 =
  let m = i64.max 1 (n / 16)
  let xss = loop xss = tabulate_2d m 16 (\i j -> i32.i64 (i * 7 + j) % 1009) for _i < rounds do
              map (scan (+) 0) xss
  in xss[m / 2, 15]

entry few_long_scans (rounds: i64) (n: i64): i32 =
  let m = i64.max 1 (n / 4)
  let xss = loop xss = tabulate_2d 4 m (\i j -> i32.i64 (i * 7 + j) % 1009) for _i < rounds do
              map (scan (+) 0) xss
  in xss[2, m - 1]

entry many_short_rows (rounds: i64) (n: i64): f32 =
  let m = i64.max 1 (n / 16)
  let xss = loop xss = tabulate_2d m 16 (\i j -> f32.i64 (i * 7 + j)) for _i < rounds do
              map (\xs -> map (\x -> x * 0.5 + xs[0]) xs) xss
  in xss[m / 2, 7]

entry few_long_rows (rounds: i64) (n: i64): f32 =
  let m = i64.max 1 (n / 4)
  let xss = loop xss = tabulate_2d 4 m (\i j -> f32.i64 (i * 7 + j)) for _i < rounds do
              map (\xs -> map (\x -> x * 0.5 + xs[0]) xs) xss
  in xss[2, m / 2]

entry stencils (rounds: i64) (n: i64): f32 =
  let m = i64.max 1 (i64.f64 (f64.sqrt (f64.i64 n)))
  let xss = loop xss = tabulate_2d m m (\i j -> f32.i64 (i * 7 + j)) for _i < rounds do
              tabulate_2d m m (\i j ->
                                 0.25 * (xss[i64.max 0 (i - 1), j] + xss[i64.min (m - 1) (i + 1), j]
                                         + xss[i, i64.max 0 (j - 1)] + xss[i, i64.min (m - 1) (j + 1)]))
  in xss[m / 2, m / 2]

entry transpositions (rounds: i64) (n: i64): f32 =
  let m = i64.max 1 (i64.f64 (f64.sqrt (f64.i64 n)))
  let xss = loop xss = tabulate_2d m m (\i j -> f32.i64 (i * 7 + j)) for _i < rounds do
              copy (transpose xss)
  in xss[m / 2, 0]

entry column_sums (rounds: i64) (n: i64): f32 =
  let m = i64.max 1 (i64.f64 (f64.sqrt (f64.i64 n)))
  let xss = tabulate_2d m m (\i j -> f32.i64 (i * 7 + j))
  let ys = loop ys = replicate m 0 for _i < rounds do
             map2 (\xs y -> f32.sum (map (* y) xs)) (transpose xss) (map (\y -> y * 1e-9 + 1) ys)
  in ys[m / 2]
