-- Implied volatilities: for the price of each of many options, the volatility at which the formula of
-- Black and Scholes gives that price, by Newton's method. The slope comes from dual numbers.
-- ==
-- random input { [100000]f64 [100000]f64 [100000]f64 }
-- input { [0.5f64, 0.25f64, 1f64] [0.5f64, 0.75f64, 0f64] [0.5f64, 0.125f64, 0.75f64] }
-- output { [0.4000000000000003f64, 0.1750000000000002f64, 0.5500000000000003f64] }

-- Numbers that carry their derivative along.
module dual = {
  type t = {value: f64, slope: f64}

  def constant (x: f64) : t = {value = x, slope = 0}
  def variable (x: f64) : t = {value = x, slope = 1}

  def (a: t) + (b: t) : t = f64.({value = a.value + b.value, slope = a.slope + b.slope})
  def (a: t) - (b: t) : t = f64.({value = a.value - b.value, slope = a.slope - b.slope})
  def (a: t) * (b: t) : t =
    f64.({value = a.value * b.value, slope = a.value * b.slope + a.slope * b.value})
  def (a: t) / (b: t) : t =
    let slope = f64.((a.slope * b.value - a.value * b.slope) / (b.value * b.value))
    in {value = a.value f64./ b.value, slope}
  def (a: t) < (b: t) : bool = a.value f64.< b.value

  def neg (a: t) : t = {value = -a.value, slope = -a.slope}
  def abs (a: t) : t = if a < constant 0 then neg a else a
  def exp (a: t) : t =
    let e = f64.exp a.value
    in {value = e, slope = a.slope f64.* e}
}

type option = {spot: f64, strike: f64, years: f64, rate: f64}

-- The cumulative distribution of the standard normal distribution, by a rational approximation.
def cnd (d: dual.t) : dual.t =
  let c = dual.constant
  let k = dual.(c 1 / (c 1 + c 0.2316419 * abs d))
  let horner (a: dual.t) (b: f64) = dual.(c b + k * a)
  let series =
    foldl horner (c 1.330274429) [-1.821255978, 1.781477937, -0.356563782, 0.31938153]
  let tail = dual.(k * series * c 0.3989422804 * exp (neg (c 0.5 * d * d)))
  in if dual.(c 0 < d) then dual.(c 1 - tail) else tail

def call (o: option) (volatility: dual.t) : dual.t =
  let c = dual.constant
  let spread = dual.(volatility * c (f64.sqrt o.years))
  let certain = f64.log (o.spot / o.strike) + o.rate * o.years
  let drift = dual.(c certain / spread)
  let d1 = dual.(drift + c 0.5 * spread)
  let d2 = dual.(d1 - spread)
  let discounted = o.strike * f64.exp (-o.rate * o.years)
  in dual.(c o.spot * cnd d1 - c discounted * cnd d2)

-- A root of f near the guess.
def newton (f: dual.t -> dual.t) (guess: f64) : f64 =
  let (x, _, _) =
    loop (x, error, k) = (guess, f64.inf, 0i32) while f64.abs error > 1e-8 && k < 20 do
      let y = f (dual.variable x)
      in (f64.max 0.01 (x - y.value / y.slope), y.value, k + 1)
  in x

def implied (o: option) (price: f64) : f64 =
  newton (\volatility -> dual.(call o volatility - constant price)) 0.5

entry main [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) : [n]f64 =
  let one x y z =
    let o = {spot = 90 + 20 * x, strike = 100, years = 0.25 + 2 * y, rate = 0.02}
    let price = (call o (dual.constant (0.1 + 0.6 * z))).value
    in implied o price
  in map3 one a b c
