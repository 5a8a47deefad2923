-- Histograms of flattened nests, which they compute by themselves, against loops: rows that are short, long or empty, and
-- destinations that nests read.
-- ==
-- entry: votes
-- input { 0i64 5i64 7i64 } output { true }
-- input { 5i64 0i64 7i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 9i64 3i64 8i64 } output { true }
-- input { 3i64 20i64 50i64 } output { true }
-- input { 70i64 180i64 300i64 } output { true }
-- input { 300i64 7i64 100i64 } output { true }

-- ==
-- entry: angles
-- input { 0i64 10i64 } output { true }
-- input { 1i64 10i64 } output { true }
-- input { 40i64 33i64 } output { true }

-- ==
-- entry: pairs
-- input { 6i64 [0i64, 1i64, 2i64] [2i64, 0i64, 3i64, 3i64] } output { [9i64, 56i64, 105i64, 102i64, 241i64, 240i64] }

def same [n] 't (eq: t -> t -> bool) (a: [n]t) (b: [n]t) = and (map2 eq a b)

entry votes (n: i64) (m: i64) (b: i64) : bool =
  let xs = tabulate n (\i -> i * i % 31)
  let ys = tabulate m (\j -> j * 7 % 13)
  let is = flatten (map (\x -> map (\y -> x + y - 3) ys) xs)
  let got = hist (+) 0 b is (map (const 1i32) is)
  let wanted =
    loop h = replicate b 0i32 for k < n * m do
      let i = xs[k / m] + ys[k % m] - 3
      in if i >= 0 && i < b then h with [i] = h[i] + 1 else h
  in same (==) got wanted

entry angles (n: i64) (b: i64) : bool =
  let ts = tabulate 180 (\t -> f32.cos (f32.i64 t / 57))
  let votes = map (\p -> tabulate 180 (\t -> (t % 3 * b / 3 + i64.f32 (f32.i64 p * ts[t] / 4), i32.i64 (p + t)))) (iota n)
  let (is, vs) = unzip (flatten votes)
  let got = hist i32.max 0 b is vs
  let wanted =
    loop h = replicate b 0i32 for k < n * 180 do
      let (p, t) = (k / 180, k % 180)
      let i = t % 3 * b / 3 + i64.f32 (f32.i64 p * ts[t] / 4)
      in if i >= 0 && i < b then h with [i] = i32.max h[i] (i32.i64 (p + t)) else h
  in same (==) got wanted

-- Values are of the nest as well, and of something else.
entry pairs [n] [m] (b: i64) (xs: [n]i64) (ys: [m]i64) : [b]i64 =
  let is = flatten (map (\x -> map (\y -> x + y) ys) xs)
  let vs = flatten (map (\x -> map (\y -> x * 10 + y) ys) xs)
  in reduce_by_index (iota b) (+) 0 is (map2 (\v k -> v + k * 9) vs (iota (n * m)))
