-- Indexes that are computed are checked and read many at a time; what is reported is what the first
-- point in order that fails reports.
-- ==
-- entry: flipped
-- input { 64i64 0i64 } output { true }
-- input { 64i64 1i64 } output { true }
-- input { 64i64 32i64 } output { true }
-- input { 256i64 5i64 } output { true }
-- input { 1i64 0i64 } output { true }
-- input { 0i64 0i64 } output { true }
-- input { 100i64 1i64 } output { true }
-- input { 99i64 1i64 } error: Index \[99\] out of bounds for array of shape \[99\]
-- input { 100i64 64i64 } error: Index \[100\] out of bounds for array of shape \[100\]
-- input { 70i64 -1i64 } error: Index \[-1\] out of bounds for array of shape \[70\]

-- ==
-- entry: two_checks
-- input { 40i64 1000i64 1000i64 } output { 3120 }
-- input { 40i64 37i64 1000i64 } error: Index \[137\] out of bounds for array of shape \[40\]
-- input { 40i64 37i64 36i64 } error: Index \[-36\] out of bounds for array of shape \[40\]
-- input { 40i64 36i64 37i64 } error: Index \[136\] out of bounds for array of shape \[40\]
-- input { 40i64 36i64 36i64 } error: Index \[136\] out of bounds for array of shape \[40\]

-- ==
-- entry: divided
-- input { 200i64 1i64 } output { true }
-- input { 200i64 3i64 } output { true }
-- input { 200i64 16i64 } output { true }
-- input { 200i64 50i64 } output { true }
-- input { 200i64 199i64 } output { true }
-- input { 200i64 1000i64 } output { true }
-- input { 200i64 -7i64 } output { true }
-- input { 200i64 9223372036854775807i64 } output { true }
-- input { 200i64 -9223372036854775808i64 } output { true }
-- input { 200i64 0i64 } error: division by zero

-- ==
-- entry: counted
-- input { 0i64 3i64 } output { 0i64 0i32 0f32 }
-- input { 31i64 3i64 } output { 31i64 30i32 93f32 }
-- input { 64i64 3i64 } output { 64i64 63i32 192f32 }
-- input { 100i64 3i64 } output { 100i64 99i32 300f32 }
-- input { 100i64 40i64 } output { 100i64 99i32 4000f32 }

-- ==
-- entry: window
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] 3i64 18i64 } output { 567 }
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] 3i64 20i64 } error: Index \[20\] out of bounds for array of shape \[20\]
-- input { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] 0i64 1000i64 } output { 0 }

entry flipped (n: i64) (d: i64) : bool =
  let xs = opaque (map (* 3) (iota n))
  let ys = opaque (tabulate n (\i -> xs[i ^ d]))
  in and (map2 (\i y -> y == 3 * (i ^ d)) (iota n) ys)

entry two_checks (n: i64) (a: i64) (b: i64) : i32 =
  let xs = opaque (map i32.i64 (iota n))
  let at i = (i ^ 1) + 100 * i64.bool (i ^ 1 == a)
  let to i = if i == b then -i else i
  let ys = opaque (tabulate n (\i -> xs[at (i ^ 1)] + 3 * xs[(to i ^ 0)]))
  in i32.sum ys

-- Quotients and remainders of indexes, also where they go beyond what floats are exact for.
entry divided (n: i64) (k: i64) : bool =
  let xs = opaque (map (\i -> i * i) (iota 4096))
  let f i = (i / k, i % k, i // k, i %% k, (i - 100) / k, (i - 100) %% k)
  let read i = xs[(i / k + i % k + (i * 7919) % k) & 4095]
  let ys = opaque (tabulate n (\i -> read i))
  let zs = opaque (tabulate n (\i -> let (a, b, c, d, e, g) = f i
                                     in xs[(a ^ b ^ c ^ d ^ e ^ g) & 4095]))
  let ys' = loop out = replicate n 0 for i < n do out with [i] = read i
  let zs' = loop out = replicate n 0 for i < n do
              let (a, b, c, d, e, g) = f i
              in out with [i] = xs[(a ^ b ^ c ^ d ^ e ^ g) & 4095]
  in and (map2 (==) ys ys') && and (map2 (==) zs zs')

-- Reductions of what has loops inside.
entry counted (n: i64) (k: i64) : (i64, i32, f32) =
  let steps (i: i64) = (loop (x, c) = (i, 0i64) while x > 0 do (x / 2, c + 1)).1
  in ( i64.sum (map (\i -> i64.bool (steps i < 60)) (iota n))
     , i32.max 0 (i32.maximum (map (\i -> loop s = i32.i64 i for j < i32.i64 k do s ^ j ^ j) (iota n)))
     , f32.sum (map (\i -> loop s = 0 for _j < k do s + f32.i64 (i / (i + 1)) + 1) (iota n)))

entry window [n] (xs: [n]i32) (k: i64) (m: i64) : i32 =
  i32.sum (tabulate m (\i -> i32.sum (tabulate k (\j -> xs[i + j]))))
