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
