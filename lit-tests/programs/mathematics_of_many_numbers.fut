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
-- output { true true }

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

-- The library's vector versions err by 2.5 and 3.9.
entry errors (step: i64) = (worst f32.exp f64.exp step <= 1.1, worst f32.log f64.log step <= 1)
