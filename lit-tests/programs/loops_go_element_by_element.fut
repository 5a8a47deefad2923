-- Rounds that map the same elements, each alone, are all done to some elements before they are to others; but not where an element of
-- another column is read.

def xs (n: i64) = tabulate n (\i -> i * 7 - 3)
def ys (n: i64) = tabulate n (\i -> 5 - i * i)

-- ==
-- entry: sums
-- input { 0i64 3i64 } output { 0i64 }
-- input { 1i64 0i64 } output { 0i64 }
-- input { 5i64 4i64 } output { 12400i64 }
-- input { 200i64 3i64 } output { -4648321600i64 }
entry sums (n: i64) (rounds: i64) : i64 =
  let a = loop a = xs n for t < rounds do map2 (\p q -> p * 3 + q - t) a (ys n)
  in i64.sum (map2 (*) a (iota n))

-- Two arrays change places in each round.
-- ==
-- entry: exchanged
-- input { 0i64 3i64 } output { 0i64 0i64 }
-- input { 1i64 0i64 } output { 0i64 0i64 }
-- input { 5i64 4i64 } output { 640i64 -2150i64 }
-- input { 200i64 3i64 } output { -414377700i64 847222600i64 }
entry exchanged (n: i64) (rounds: i64) : (i64, i64) =
  let (a, b) = loop (a, b) = (xs n, ys n) for t < rounds do (b, map2 (\p q -> p - q * t) a b)
  in (i64.sum (map2 (*) a (iota n)), i64.sum (map2 (*) b (iota n)))

-- A number is carried along.
-- ==
-- entry: powers
-- input { 0i64 3i64 } output { 257i64 0i64 }
-- input { 1i64 0i64 } output { 2i64 0i64 }
-- input { 5i64 4i64 } output { 1288i64 3380i64 }
-- input { 200i64 3i64 } output { 257i64 19720900i64 }
entry powers (n: i64) (rounds: i64) : (i64, i64) =
  let (s, a) = loop (s, a) = (2, xs n) for t < rounds do (s * 5 + t, map (\p -> p + s) a)
  in (s, i64.sum (map2 (*) a (iota n)))

-- What lies above in the row before.
-- ==
-- entry: above
-- input { 1i64 1i64 } output { 0i64 }
-- input { 4i64 5i64 } output { -150i64 }
-- input { 130i64 3i64 } output { -843170445i64 }
entry above (n: i64) (rounds: i64) : i64 =
  let m = loop m = replicate rounds (replicate n 1) for t < rounds do
            let row = map2 (\i q -> q * 2 + m[i64.max 0 (t - 1), i]) (iota n) (ys n)
            in m with [t] = row
  in i64.sum (map (\r -> i64.sum (map2 (*) r (iota n))) m)

-- And beside that.
-- ==
-- entry: beside
-- input { 1i64 1i64 } output { 0i64 }
-- input { 4i64 5i64 } output { 440i64 }
-- input { 130i64 3i64 } output { -831688583i64 }
entry beside (n: i64) (rounds: i64) : i64 =
  let m = loop m = replicate rounds (replicate n 1) for t < rounds do
            let row = map2 (\i q -> q * 2 + m[i64.max 0 (t - 1), i64.max 0 (i - 1)]) (iota n) (ys n)
            in m with [t] = row
  in i64.sum (map (\r -> i64.sum (map2 (*) r (iota n))) m)

-- ==
-- entry: columns
-- input { [[1f32, 5f32], [2f32, 4f32], [0f32, 6f32]] }
-- output { [[1f32, 5f32], [2f32, 5f32], [2f32, 6f32]] }
entry columns [n] [m] (a: [n][m]f32) : [n][m]f32 =
  transpose (map (scan f32.max f32.lowest) (transpose a))
