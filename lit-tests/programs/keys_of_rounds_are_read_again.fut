-- Bits of keys are computed again where the keys are read anyway, though each round consumes a copy of them.
-- ==
-- entry: sort
-- input { [5u32, 1u32, 4u32, 1u32, 0u32, 9u32] [0.5f32, 1f32, 1.5f32, 2f32, 2.5f32, 3f32] }
-- output { [0u32, 1u32, 1u32, 4u32, 5u32, 9u32] [2.5f32, 1f32, 2f32, 1.5f32, 0.5f32, 3f32] }
-- input { empty([0]u32) empty([0]f32) } output { empty([0]u32) empty([0]f32) }

-- ==
-- entry: sorts
-- input { 100000i64 } output { true }

-- ==
-- entry: overwrites
-- input { [3i8, -56i8, 7i8] } output { [3i8, -56i8, 9i8] -46i64 }
-- input { [1i8] } output { [1i8] 1i64 }

def step [n] (xs: [n](u32, f32)) (b: i32) : [n](u32, f32) =
  let bits = map (\(k, _) -> i64.u32 ((k >> u32.i32 b) & 1)) xs
  let neg = map (1 -) bits
  let offs = reduce (+) 0 neg
  let i0 = map2 (*) neg (scan (+) 0 neg)
  let i1 = map2 (*) bits (map (+ offs) (scan (+) 0 bits))
  in scatter (copy xs) (map2 (\a b -> a + b - 1) i0 i1) xs

entry sort [n] (ks: [n]u32) (vs: [n]f32) : ([n]u32, [n]f32) =
  unzip (loop xs = zip ks vs for b < 4 do step xs b)

entry sorts (n: i64) : bool =
  let ks = tabulate n (\i -> u32.i64 (i * 7919 % 1009))
  let sorted = loop xs = zip ks (map f32.i64 (iota n)) for b < 10 do step xs b
  in and (map (\i -> i == 0
                     || sorted[i - 1].0 < sorted[i].0
                     || (sorted[i - 1].0 == sorted[i].0 && sorted[i - 1].1 < sorted[i].1)) (iota n))

-- The last element is overwritten when all of them have been read.
entry overwrites [n] (xs: *[n]i8) : ([n]i8, i64) =
  let ys = map i64.i8 xs
  let sum = i64.sum ys
  let (t, _) = loop (t, c) = (0, 0) for i < n do (t + ys[i], c + xs[i])
  let xs = if n > 2 then xs with [n - 1] = 9 else xs
  in (xs, t + (if sum == t then 0 else 1000))
