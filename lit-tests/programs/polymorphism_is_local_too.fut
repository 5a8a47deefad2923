-- Functions used at several types and sizes, functions as arguments and results, and sections.
-- ==
-- entry: instances
-- input { [1, 2, 3] [true, false] } output { [3, 2, 1] [false, true] 3i64 2i64 }

-- ==
-- entry: local_functions
-- input { 4i32 2.5f32 } output { 4i32 2.5f32 4i32 2.5f32 [4, 4] }

-- ==
-- entry: sections
-- input { [1, 2, 3] }
-- output { [11, 12, 13] [9, 8, 7] [-9, -8, -7] [2, 4, 6] [true, true, false] [1, 2, 3] [3, 2, 1] }

-- ==
-- entry: fields
-- input { [1, 2] [3.0f32, 4.0f32] } output { [1, 2] [3.0f32, 4.0f32] [7.0f32, 8.0f32] }

-- ==
-- entry: indexed
-- input { [[1, 2], [3, 4]] } output { [2, 4] [[1], [3]] [4, 2] }

-- ==
-- entry: higher_order
-- input { 3i32 } output { 9i32 [0i32, 3i32, 6i32] 36i32 }

-- ==
-- entry: closures
-- input { 2i32 [1, 2, 3] true } output { [3, 4, 5] }
-- input { 2i32 [1, 2, 3] false } output { [2, 4, 6] }

def flipped 'a [n] (xs: [n]a) : [n]a = map (\i -> xs[n - 1 - i]) (iota n)

entry instances [n] [m] (xs: [n]i32) (bs: [m]bool) =
  let size 'a [k] (_: [k]a) = k
  in (flipped xs, flipped bs, size xs, size bs)

entry local_functions (x: i32) (y: f32) =
  let identity 'a (x: a) : a = x
  let first 'a 'b (x: a, _: b) : a = x
  let twice 'a (x: a) : [2]a = [x, x]
  in (identity x, identity y, first (x, y), first (y, x), twice x)

def times (x: i32) (y: i32) = x * y

entry sections [n] (xs: [n]i32) =
  ( map (+ 10) xs, map (10 -) xs, map (\x -> x - 10) xs, map (`times` 2) xs
  , map (< 3) xs, map ((+ 1) >-> (\x -> x - 1)) xs, xs |> reverse)

entry fields [n] (xs: [n]i32) (ys: [n]f32) =
  let both = map2 (\x y -> {x, inner = {y, z = y + 4}}) xs ys
  in (map (.x) both, map (.inner.y) both, map (.inner.z) both)

entry indexed [n] (xss: [n][2]i32) =
  (map (.[1]) xss, map (.[0:1]) xss, map (.[1]) xss[::-1])

def compose_all 'a [n] (f: a -> a) (_: [n]()) : a -> a =
  \x -> loop x for _i < n do f x

entry higher_order (x: i32) =
  let apply f = f x
  let multiples (k: i64) f = map (\i -> f (i32.i64 i)) (iota k)
  in (apply (\y -> y * y), multiples 3 (* x), compose_all (+ 11) (replicate 3 ()) x)

entry closures [n] (k: i32) (xs: [n]i32) (b: bool) : [n]i32 =
  let op: #plus | #times = if b then #plus else #times
  let f = \x -> match op case #plus -> x + k case #times -> x * k
  in map f xs
