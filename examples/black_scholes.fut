-- European options by the Black–Scholes formula: prices of call and put.
-- ==
-- input { [100f64, 42f64, 60f64] [100f64, 40f64, 65f64] [1f64, 0.5f64, 0.25f64] 0.05f64 0.2f64 }
-- output @ data/black_scholes.out

def normal_cdf (x: f64) : f64 = 0.5 * f64.erfc (-x / f64.sqrt 2)

def price (r: f64) (sigma: f64) (spot: f64) (strike: f64) (years: f64) : (f64, f64) =
  let spread = sigma * f64.sqrt years
  let d1 = (f64.log (spot / strike) + (r + sigma * sigma / 2) * years) / spread
  let d2 = d1 - spread
  let discounted = strike * f64.exp (-r * years)
  let call = spot * normal_cdf d1 - discounted * normal_cdf d2
  in (call, call - spot + discounted)

entry main [n] (spots: [n]f64) (strikes: [n]f64) (years: [n]f64) (r: f64) (sigma: f64)
             : ([n]f64, [n]f64) =
  unzip (map3 (price r sigma) spots strikes years)
