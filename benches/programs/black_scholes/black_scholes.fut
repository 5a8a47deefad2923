-- The prices of European call options after Black and Scholes. Each option is given by three numbers
-- between zero and one, from which come its underlying's price, its strike price and its years.
-- ==
-- random input { [500000]f32 [500000]f32 [500000]f32 }
-- input { [0.5f32] [0.5f32] [0.5f32] }
-- output { [12.9283f32] }

-- The cumulative distribution of the standard normal distribution, by a rational approximation.
def cnd (d: f32) : f32 =
  let k = 1 / (1 + 0.2316419 * f32.abs d)
  let tail =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  let p = 0.39894228 * f32.exp (-0.5 * d * d) * tail
  in if d > 0 then 1 - p else p

def call (price: f32) (strike: f32) (years: f32) : f32 =
  let (rate, volatility) = (0.02, 0.3)
  let spread = volatility * f32.sqrt years
  let d1 = (f32.log (price / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
  let d2 = d1 - spread
  in price * cnd d1 - strike * f32.exp (-rate * years) * cnd d2

entry main [n] (a: [n]f32) (b: [n]f32) (c: [n]f32) : [n]f32 =
  map3 (\x y z -> call (50 + 50 * x) (50 + 50 * y) (0.25 + 3 * z)) a b c
