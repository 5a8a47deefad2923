-- Functions on arrays long enough for vectors agree with the same functions on single numbers.
-- ==
-- entry: f32_agrees f64_agrees
-- input { 1003i64 }
-- output { true }

-- ==
-- entry: f32_specials
-- input { }
-- output { [f32.inf, 0f32, f32.nan, 1f32] [f32.inf, -f32.inf, f32.nan, f32.nan] [f32.nan, f32.nan, f32.nan, -0f32] }

-- ==
-- entry: f64_specials
-- input { }
-- output { [f64.inf, 0f64, f64.nan, 1f64] [f64.inf, -f64.inf, f64.nan, f64.nan] [f64.nan, f64.nan, f64.nan, -0f64] }

-- ==
-- entry: errors
-- input { 65521i64 }
-- output { true true true true true true true true }

-- ==
-- entry: double_errors
-- input { 20000i64 }
-- output { true true true true true }

-- ==
-- entry: turned
-- input { }
-- output { [f64.nan, -0f64, f64.nan, 0f64] [1f64, 1f64, f64.nan, f64.nan] [f64.nan, -0f64, f64.nan, 0f64] }

-- ==
-- entry: returned
-- input { }
-- output { [f64.nan, -0f64, 1.5707963267948966f64, -1.5707963267948966f64] [1.5707963267948966f64, -1.5707963267948966f64, -0f64, f64.nan] }

def close32 (x: f32) (y: f32) = f32.abs (x - y) <= 1e-6 * f32.max 1 (f32.abs y)
def close64 (x: f64) (y: f64) = f64.abs (x - y) <= 1e-14 * f64.max 1 (f64.abs y)

entry f32_agrees (n: i64): bool =
  let xs = tabulate n (\i -> f32.i64 (i - n / 2) / 50)
  let ys = map (\x -> f32.exp x + f32.sin x * f32.cos x + f32.log (f32.abs x + 1) + f32.atan x) xs
  in loop ok = true for i < n do
       let x = #[opaque] xs[i]
       in ok && close32 ys[i] (f32.exp x + f32.sin x * f32.cos x + f32.log (f32.abs x + 1) + f32.atan x)

entry f64_agrees (n: i64): bool =
  let xs = tabulate n (\i -> f64.i64 (i - n / 2) / 50)
  let ys = map (\x -> f64.exp x + f64.sin x * f64.cos x + f64.log (f64.abs x + 1) + f64.atan x) xs
  in loop ok = true for i < n do
       let x = #[opaque] xs[i]
       in ok && close64 ys[i] (f64.exp x + f64.sin x * f64.cos x + f64.log (f64.abs x + 1) + f64.atan x)

-- Sixteen copies of each number, so that whole vectors of them are computed.
def sixteen 't 'u (f: t -> u) (xs: [4]t) : [4]u =
  let ys = map f (map (\i -> xs[i % 4]) (iota 64))
  in [ys[0], ys[17], ys[34], ys[51]]

entry f32_specials =
  (sixteen f32.exp [200, -200, f32.nan, 0], sixteen f32.log [f32.inf, 0, -1, f32.nan],
   sixteen f32.sin [f32.inf, -f32.inf, f32.nan, -0.0])

entry f64_specials =
  (sixteen f64.exp [2000, -2000, f64.nan, 0], sixteen f64.log [f64.inf, 0, -1, f64.nan],
   sixteen f64.sin [f64.inf, -f64.inf, f64.nan, -0.0])

-- | By how many units in its last place a number differs from what it should be.
def ulps (got: f32) (want: f64) : f64 =
  let near = f32.f64 want
  in if f64.isnan want then (if f32.isnan got then 0 else f64.inf)
     else if f32.isinf near then (if got == near then 0 else f64.inf)
     else let bits = f32.to_bits (f32.abs near)
          in f64.abs (f64.f32 got - want) / (f64.f32 (f32.from_bits (bits + 1)) - f64.f32 (f32.from_bits bits))

-- | The worst of them, of numbers of every size.
def worst (f: f32 -> f32) (g: f64 -> f64) (step: i64) : f64 =
  let xs = map (\i -> f32.from_bits (u32.i64 (i * step))) (iota (4294967296 / step))
  let ys = opaque (map f xs)
  in f64.maximum (map2 (\x y -> ulps y (g (f64.f32 x))) xs ys)

-- The library's vector versions err by 2.4 and more. On NVIDIA GPUs tan is libclc's, which errs by 2.73.
entry errors (step: i64) =
  (worst f32.exp f64.exp step <= 1.1, worst f32.log f64.log step <= 1,
   worst f32.log2 f64.log2 step <= 1, worst f32.log10 f64.log10 step <= 2,
   worst f32.tan f64.tan step <= 2.75, worst f32.asin f64.asin step <= 1,
   worst f32.acos f64.acos step <= 1.1, worst f32.atan f64.atan step <= 1)

-- | The number of numbers between two.
def between (x: f64) (y: f64) : i64 =
  if f64.isnan x && f64.isnan y then 0 else i64.abs (i64.u64 (f64.to_bits x) - i64.u64 (f64.to_bits y))

-- | The most between a function of many numbers and the same function of each, which is the library's
-- for single numbers and errs by less than one.
def furthest (f: f64 -> f64) (n: i64) (size: f64) : i64 =
  let xs = map (\i -> f64.i64 (i - n / 2) * size) (iota n)
  let ys = opaque (map f xs)
  in loop most = 0 for i < n do i64.max most (between ys[i] (f (#[opaque] xs[i])))

-- Also with some numbers that are too large for what the others are good for, and near whole numbers of
-- right angles.
entry double_errors (n: i64) =
  let angles (f: f64 -> f64) (most: i64) =
    furthest f n 0.001 <= most && furthest f n 1.1e5 <= most && furthest f n (f64.pi / 2) <= most
  in (angles f64.sin 1, angles f64.cos 1, angles f64.tan 2,
      furthest f64.asin n 0.0001 <= 1,
      furthest f64.atan n 0.0003 <= 1 && furthest f64.atan n 3e20 <= 1)

entry turned =
  let xs = [f64.inf, -0.0, f64.nan, 0]
  in (sixteen f64.sin xs, sixteen f64.cos [0, -0.0, f64.nan, -f64.inf], sixteen f64.tan xs)

entry returned =
  (sixteen f64.asin [1.1, -0.0, 1, -1], sixteen f64.atan [f64.inf, -f64.inf, -0.0, f64.nan])
