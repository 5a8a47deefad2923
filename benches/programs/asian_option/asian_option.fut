-- The price of an Asian option by quasi-random numbers: Sobol's sequence in 16 dimensions, normal numbers
-- from it by inversion, and paths from them by Brownian bridges, so that the first dimensions decide most.
-- The direction numbers are those of Joe and Kuo.
-- ==
-- random input { 512i64 256i64 100f64 0.02f64 0.3f64 }
-- input { 2i64 8i64 95f64 0.02f64 0.3f64 }
-- output { 3.2158939475465895f64 }

def bits : i64 = 30

module sobol = {
  type polynomial = {degree: i64, coefficients: u32, initial: [6]u32}

  def polynomial degree coefficients initial : polynomial = {degree, coefficients, initial}

  def dimensions : i64 = 16

  -- Those of the dimensions after the first.
  def polynomials : [15]polynomial =
    [ polynomial 1 0 [1, 0, 0, 0, 0, 0], polynomial 2 1 [1, 3, 0, 0, 0, 0]
    , polynomial 3 1 [1, 3, 1, 0, 0, 0], polynomial 3 2 [1, 1, 1, 0, 0, 0]
    , polynomial 4 1 [1, 1, 3, 3, 0, 0], polynomial 4 4 [1, 3, 5, 13, 0, 0]
    , polynomial 5 2 [1, 1, 5, 5, 17, 0], polynomial 5 4 [1, 1, 5, 5, 5, 0]
    , polynomial 5 7 [1, 1, 7, 11, 19, 0], polynomial 5 11 [1, 1, 5, 1, 1, 0]
    , polynomial 5 13 [1, 1, 1, 3, 11, 0], polynomial 5 14 [1, 3, 5, 5, 31, 0]
    , polynomial 6 1 [1, 3, 3, 9, 7, 49], polynomial 6 13 [1, 1, 1, 15, 21, 21]
    , polynomial 6 16 [1, 3, 1, 13, 27, 49] ]

  def directions_of ({degree = s, coefficients, initial}: polynomial) : [bits]u32 =
    let shift k = u32.i64 (bits - 1 - k)
    let start = tabulate bits (\k -> if k < s then initial[k] << shift k else 0)
    in loop v = start for k in s..<bits do
         let first = v[k - s] ^ (v[k - s] >> u32.i64 s)
         let next =
           loop x = first for j in 1..<s do
             if (coefficients >> u32.i64 (s - 1 - j)) & 1 == 1 then x ^ v[k - j] else x
         in v with [k] = next

  type directions = [dimensions][bits]u32

  def directions : directions =
    let first = tabulate bits (\k -> 1 << u32.i64 (bits - 1 - k))
    in [first] ++ map directions_of polynomials :> directions

  -- A point by its number.
  def point (vs: directions) (i: i64) : [dimensions]u32 =
    let gray = u32.i64 (i ^ (i >> 1))
    let component v =
      loop x = 0 for k < bits do if (gray >> u32.i64 k) & 1 == 1 then x ^ v[k] else x
    in map component vs

  -- The point after that with number i.
  def next (vs: directions) (i: i64) (xs: [dimensions]u32) : [dimensions]u32 =
    let k = i64.i32 (i64.ctz (i + 1))
    in map2 (\v x -> x ^ v[k]) vs xs

  def uniform (x: u32) : f64 = (f64.u32 x + 0.5) / 1073741824
}

-- The inverse of the normal distribution after Acklam.
def inverse_normal (p: f64) : f64 =
  let tail q =
    (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q
       - 2.549732539343734) * q + 4.374664141464968) * q + 2.938163982698783)
    / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q
        + 3.754408661907416) * q + 1)
  let middle q =
    let r = q * q
    in (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r
          + 1.383577518672690e2) * r - 3.066479806614716e1) * r + 2.506628277459239) * q
       / (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r
            + 6.680131188771972e1) * r - 1.328068155288572e1) * r + 1)
  in if p < 0.02425
     then tail (f64.sqrt (-2 * f64.log p))
     else if p <= 0.97575 then middle (p - 0.5) else -tail (f64.sqrt (-2 * f64.log (1 - p)))

-- A Brownian motion at 1/16, 2/16, …, 1: the end first, then halves of halves.
def bridge (zs: [sobol.dimensions]f64) : [sobol.dimensions]f64 =
  let n = sobol.dimensions
  let start = replicate n 0 with [n - 1] = zs[0]
  let (path, _, _) =
    loop (path, width, used) = (start, n, 1) while width > 1 do
      let half = width / 2
      let deviation = f64.sqrt (f64.i64 half / f64.i64 (2 * n))
      let path =
        loop path for k < used do
          let left = if k == 0 then 0 else path[k * width - 1]
          let right = path[(k + 1) * width - 1]
          in path with [k * width + half - 1] = 0.5 * (left + right) + deviation * zs[used + k]
      in (path, half, 2 * used)
  in path

type market = {spot: f64, rate: f64, volatility: f64}

-- What a call on the mean price pays for a path, a year long.
def payoff (m: market) (strike: f64) (path: [sobol.dimensions]f64) : f64 =
  let price i w =
    let t = f64.i64 (i + 1) / f64.i64 sobol.dimensions
    in m.spot * f64.exp ((m.rate - 0.5 * m.volatility ** 2) * t + m.volatility * w)
  let mean = f64.sum (map2 price (indices path) path) / f64.i64 sobol.dimensions
  in f64.max 0 (mean - strike)

entry main (chunks: i64) (size: i64) (spot: f64) (rate: f64) (volatility: f64) : f64 =
  let vs = sobol.directions
  let m = {spot, rate, volatility}
  let price xs = payoff m 100 (bridge (map (sobol.uniform >-> inverse_normal) xs))
  let chunk c =
    let from = c * size
    let (sum, _) =
      loop (sum, xs) = (0, sobol.point vs from) for k < size do
        (sum + price xs, sobol.next vs (from + k) xs)
    in sum
  let total = f64.sum (tabulate chunks chunk)
  in f64.exp (-rate) * total / f64.i64 (chunks * size)
