-- What points of histograms compute goes in chunks of 128 points, and buckets are updated in order.
-- ==
-- entry: binned weighed two_dimensional two_at_once with_loops by_position checked
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 127i64 } output { true }
-- input { 128i64 } output { true }
-- input { 129i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 30001i64 } output { true }

def numbers (n: i64) : [n]f32 = opaque (tabulate n (\i -> f32.i64 (i * 7919 % 1009) / 1009))
def bin (x: f32) : i64 = i64.f32 (x * x * 57.5 - 2)

-- One point after the other.
def in_turn [k] 't (n: i64) (into: *[k]t) (f: t -> t -> t) (at: i64 -> (i64, t)) : [k]t =
  loop h = into for i < n do
    let (b, x) = at i
    in if b < 0 || b >= k then h else h with [b] = copy (f h[b] x)

entry binned (n: i64) : bool =
  let xs = numbers n
  let h = hist (+) 0i32 50 (map bin xs) (replicate n 1)
  in and (map2 (==) h (in_turn n (replicate 50 0) (+) (\i -> (bin xs[i], 1))))

entry weighed (n: i64) : bool =
  let (xs, ws) = (numbers n, opaque (tabulate n (\i -> f64.i64 (i % 13))))
  let h = hist (+) 0 50 (map bin xs) (map2 (\x w -> w * 2 + f64.i64 (bin x)) xs ws)
  in and (map2 (==) h (in_turn n (replicate 50 0) (+) (\i -> (bin xs[i], ws[i] * 2 + f64.i64 (bin xs[i])))))

-- Sums of these are exact, in whatever order.
def whole (x: f32) : f32 = f32.trunc (x * 16)

entry two_dimensional (n: i64) : bool =
  let (xs, ys) = (numbers n, opaque (map (\x -> 1 - x * x) (numbers n)))
  let h = reduce_by_index_2d (replicate 7 (replicate 9 0f32)) (+) 0
                             (map2 (\x y -> (i64.f32 (x * 7), i64.f32 (y * 9 - 0.5))) xs ys) (map whole ys)
  let at i = let (r, c) = (i64.f32 (xs[i] * 7), i64.f32 (ys[i] * 9 - 0.5))
             in (if c < 0 || c >= 9 then -1 else r * 9 + c, whole ys[i])
  in and (map2 (==) (flatten h) (in_turn n (replicate 63 0) (+) at))

entry two_at_once (n: i64) : bool =
  let xs = numbers n
  let op (a: f32, i: i64) (b: f32, j: i64) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  let h = hist op (-1, i64.highest) 50 (map bin xs) (zip (map (\x -> f32.sqrt (f32.abs (x - 0.3)) * 2) xs) (iota n))
  let e = in_turn n (replicate 50 (-1, i64.highest)) op (\i -> (bin xs[i], (f32.sqrt (f32.abs (xs[i] - 0.3)) * 2, i)))
  in and (map2 (==) h e)

def rounds (x: f32) : i64 = (loop (k, y) = (0, x) while k < 40 && y < 3 do (k + 1, y * 1.25 + 0.01)).0

entry with_loops (n: i64) : bool =
  let xs = numbers n
  let h = hist (+) 0i32 41 (map rounds xs) (replicate n 1)
  in and (map2 (==) h (in_turn n (replicate 41 0) (+) (\i -> (rounds xs[i], 1))))

entry by_position (n: i64) : bool =
  let h = hist i64.max 0 50 (map (\i -> bin (f32.i64 (i % 97) / 97)) (iota n)) (iota n)
  in and (map2 (==) h (in_turn n (replicate 50 0) i64.max (\i -> (bin (f32.i64 (i % 97) / 97), i))))

def looked_up [k] (xs: []f32) (table: [k]i64) (i: i64) : i64 = table[i64.f32 (f32.abs (xs[i] * 10))]

entry checked (n: i64) : bool =
  let (xs, table) = (numbers n, opaque (tabulate 10 (\i -> i * i % 7)))
  let h = hist (+) 0i32 7 (map (looked_up xs table) (iota n)) (replicate n 1)
  in and (map2 (==) h (in_turn n (replicate 7 0) (+) (\i -> (looked_up xs table i, 1))))

-- ==
-- entry: beyond
-- input { 500i64 200i64 } error: Index \[200\] out of bounds for array of shape \[200\].
entry beyond (n: i64) (k: i64) : [5]i32 =
  let table = opaque (tabulate k (\i -> i % 5))
  in hist (+) 0 5 (map (\x -> table[i64.f32 (x * f32.i64 k * 2 / 2)]) (opaque (tabulate n f32.i64) |> map (/ f32.i64 k))) (replicate n 1)
