-- Rounds of maps come to the same, whether each element runs all of them or all elements one (`opaque`).
-- ==
-- entry: alike beside swapped by_index matrix branches deep bytes stays
-- input { empty([0]i32) 3i64 } output { true }
-- random input { [1]i32 0i64 } output { true }
-- random input { [15]i32 1i64 } output { true }
-- random input { [17]i32 2i64 } output { true }
-- random input { [33]i32 7i64 } output { true }
-- random input { [100]i32 5i64 } output { true }
-- random input { [129]i32 6i64 } output { true }
-- random input { [257]i32 4i64 } output { true }
-- random input { [1000]i32 3i64 } output { true }

def same [n] 't (eq: t -> t -> bool) (xs: [n]t) (ys: [n]t) = and (map2 eq xs ys)

def ints [n] (xs: [n]i32) (ys: [n]i32) = same (==) xs ys

entry alike [n] (xs: [n]i32) (k: i64) =
  let ws = map (\x -> x / 3) xs
  let f a i = map2 (\x w -> (x ^ w) * 5 + i32.i64 i) a ws
  in ints (loop a = xs for i < k do f a i) (loop a = xs for i < k do opaque (f a i))

-- What a round carries beside the elements is a result, too.
entry beside [n] (xs: [n]i32) (k: i64) =
  let cs = tabulate k (\i -> i32.i64 (i * 3 - 1))
  let f a s i =
    let c = cs[i] + s
    in (map2 (\x i -> x * c - i32.i64 i) a (iota n), s * 7 + c)
  let (a, s) = loop (a, s) = (xs, 1) for i < k do f a s i
  let (b, t) = loop (a, s) = (xs, 1) for i < k do let (a, s) = f a s i in (opaque a, s)
  in ints a b && s == t

entry swapped [n] (xs: [n]i32) (k: i64) =
  let f a b = (b, map2 (\x y -> 2 * x - y + a[0]) b a)
  let g a b = (map2 (\x y -> 2 * x - y) b a, copy a)
  let (a, b) = loop (a, b) = g xs (reverse xs) for _i < k do g a b
  let (c, d) = loop (a, b) = g xs (reverse xs) for _i < k do let (a, b) = g a b in (opaque a, opaque b)
  let (e, _) = if n == 0 then (xs, xs) else loop (a, b) = (xs, reverse xs) for _i < k do f a b
  let (h, _) = if n == 0 then (xs, xs) else loop (a, b) = (xs, reverse xs) for _i < k do let (a, b) = f a b in (opaque a, opaque b)
  in ints a c && ints b d && ints e h

entry by_index [n] (xs: [n]i32) (k: i64) =
  let ws = reverse xs
  let f (a: [n]i32) i = tabulate n (\j -> a[j] * 3 + ws[j] - ws[0] + i32.i64 (i * j))
  in ints (loop a = xs for i < k do f a i) (loop a = xs for i < k do opaque (f a i))

entry matrix [n] (xs: [n]i32) (k: i64) =
  let m = replicate 20 xs
  let f (m: [20][n]i32) i =
    tabulate_2d 20 n (\r c -> if (r + c) % 3 == i % 3 then m[r, c] * 3 else m[r, c] - i32.i64 r)
  let a = loop m for i < k do f m i
  let b = loop m for i < k do opaque (f m i)
  in same ints a b

entry branches [n] (xs: [n]i32) (k: i64) =
  let f a i = if i % 2 == 0 then map (\x -> x * 3 + 1) a else if i % 3 == 0 then replicate n 7 else a
  in ints (loop a = xs for i < k do f a i) (loop a = xs for i < k do opaque (f a i))

entry deep [n] (xs: [n]i32) (k: i64) =
  let f a i = loop a for j < 3 do
    map (\x -> loop y = x for _l < 4 do if y % 2 == 0 then y / 2 else 3 * y + i32.i64 (i + j)) a
  in ints (loop a = xs for i < k do f a i) (loop a = xs for i < k do opaque (f a i))

entry bytes [n] (xs: [n]i32) (k: i64) =
  let bs = map u8.i32 xs
  let f a = map (\x -> (x << 1) ^ (if x > 127 then 0x1d else 0)) a
  in same (==) (loop a = bs for _i < k do f a) (loop a = bs for _i < k do opaque (f a))

-- Elements that look at others.
entry stays [n] (xs: [n]i32) (k: i64) =
  let f (a: [n]i32) i = tabulate n (\j -> a[j] * 3 + a[(j + i) % n] - a[n - 1 - j])
  let g a = map (+ i32.sum a) a
  in ints (loop a = xs for i < k do g (f a i)) (loop a = xs for i < k do opaque (g (opaque (f a i))))

-- Rounds of floats are as they are written.
-- ==
-- entry: floats particles
-- random input { [300]f32 9i64 } output { true }
-- random input { [40]f32 1i64 } output { true }
def floating [n] (xs: [n]f32) (ys: [n]f32) = same (\x y -> f32.to_bits x == f32.to_bits y) xs ys

entry floats [n] (xs: [n]f32) (k: i64) =
  let f a t = map (\x -> x + 0.01 * (t - x * x)) a
  let (a, s) = loop (a, t) = (xs, 0) while t < 0.1 * f32.i64 k do (f a t, t + 0.1)
  let (b, t) = loop (a, t) = (xs, 0) while t < 0.1 * f32.i64 k do (opaque (f a t), t + 0.1)
  in floating a b && s == t

entry particles [n] (xs: [n]f32) (k: i64) =
  let step (x, y, u, v) =
    let r = x * x + y * y + 0.01f32
    let c = 0.01 / (r * f32.sqrt r)
    let (u, v) = (u - c * x, v - c * y)
    in (x + 0.01 * u, y + 0.01 * v, u, v)
  let ps = map (\x -> (x, 1 - x, 0, x)) xs
  let f (x, y, u, v) = x + y * u - v
  in floating (map f (loop ps for _i < k do map step ps)) (map f (loop ps for _i < k do opaque (map step ps)))

-- The first round that fails is told.
-- ==
-- entry: too_far
-- input { [1i32, 2i32] [5i32, 6i32] 2i64 } output { [18i32, 24i32] }
-- input { [1i32, 2i32] [5i32, 6i32] 4i64 } error: Index \[2\] out of bounds for array of shape \[2\]
-- entry: by_zero
-- input { [1i32, 2i32] [5i32, 6i32] 2i64 } output { [0i32, 0i32] }
-- input { [1i32, 2i32] [5i32, 0i32] 2i64 } error: division by zero
-- input { empty([0]i32) [5i32, 0i32] 2i64 } output { empty([0]i32) }
-- entry: outside
-- input { [1i32, 2i32] [5i32, 6i32] 2i64 } output { [37i32, 67i32] }
-- input { empty([0]i32) [5i32, 6i32] 3i64 } error: Index \[2\] out of bounds for array of shape \[2\]
-- entry: first_of_two
-- input { [1i32, 2i32] [5i32, 6i32] [1i32, 1i32, 1i32] 4i64 } error: Index \[2\] out of bounds for array of shape \[2\]
-- entry: ends
-- input { [1i32, 2i32] [5i32, 6i32] 0i64 } error: Index \[2\] out of bounds for array of shape \[2\]
entry too_far (xs: []i32) (cs: []i32) (k: i64) = loop a = xs for i < k do map (\x -> (x + 1) * cs[i] / 2) (map (\x -> x) a)

entry by_zero (xs: []i32) (cs: [2]i32) (k: i64) = loop a = xs for i < k do let c = cs[i % 2] in map (/ c) a

entry outside (xs: []i32) (cs: []i32) (k: i64) = loop a = xs for i < k do let c = cs[i] in map (\x -> x * c + 1) a

entry first_of_two (xs: []i32) (cs: []i32) (ds: []i32) (k: i64) =
  loop (a, s) = (xs, 0) for i < k do (map (\x -> x * cs[i] + 1) a, s + ds[i])

entry ends (xs: []i32) (cs: []i32) (k: i64) =
  loop (a, s) = (xs, k) while s < 10 do (map (\x -> x * 3 + cs[s]) a, if s == 3 then 3 else s + 1)
