-- Calibration of a short-rate model: for each of many markets the parameters of the model of Cox, Ingersoll
-- and Ross whose yields are nearest to the market's, by the method of Levenberg and Marquardt with slopes
-- from differences. The results are the root mean square of what is left and the yield after 30 years.
-- ==
-- random input { 20i32 [1000]f64 [1000]f64 [1000]f64 [1000]f64 }
-- input { 20i32 [0.5f64, 0.25f64] [0.5f64, 0.75f64] [0.5f64, 0.125f64] [0.5f64, 0f64] }
-- output { [0.0006759305933538999f64, 0.00039547278064887086f64] [0.047820141063341384f64,
--          0.06020286387376175f64] }

module vec3 = {
  type t = (f64, f64, f64)
  def map2 (f: f64 -> f64 -> f64) ((a, b, c): t) ((x, y, z): t) : t = (f a x, f b y, f c z)
  def map (f: f64 -> f64) ((a, b, c): t) : t = (f a, f b, f c)
  def add : t -> t -> t = map2 (+)
  def sub : t -> t -> t = map2 (-)
  def scale (k: f64) : t -> t = map (* k)
  def dot ((a, b, c): t) ((x, y, z): t) : f64 = a * x + b * y + c * z
  def cross ((a, b, c): t) ((x, y, z): t) : t = (b * z - c * y, c * x - a * z, a * y - b * x)
  def zero : t = (0, 0, 0)
}

-- Rows of a matrix.
module mat3 = {
  type t = (vec3.t, vec3.t, vec3.t)
  def zero : t = (vec3.zero, vec3.zero, vec3.zero)
  def add ((a, b, c): t) ((x, y, z): t) : t = (vec3.add a x, vec3.add b y, vec3.add c z)
  def outer ((a, b, c): vec3.t) (v: vec3.t) : t = (vec3.scale a v, vec3.scale b v, vec3.scale c v)

  -- Cramer's rule.
  def solve ((a, b, c): t) (right: vec3.t) : vec3.t =
    let over = 1 / vec3.dot a (vec3.cross b c)
    let (x, y, z) = right
    let parts =
      vec3.scale x (vec3.cross b c)
      `vec3.add` vec3.scale y (vec3.cross c a)
      `vec3.add` vec3.scale z (vec3.cross a b)
    in vec3.scale over parts
}

-- A model of the short rate: its yield for so many years, from parameters that are free.
type^ model = {yield: vec3.t -> f64 -> f64}

module cir = {
  -- The speed of reversion, the mean and the volatility are positive: the parameters are their logarithms.
  def model (rate: f64) : model =
    let yield (p: vec3.t) (years: f64) =
      let (speed, mean, volatility) = vec3.map f64.exp p
      let variance = volatility * volatility
      let gamma = f64.sqrt (speed * speed + 2 * variance)
      let growth = f64.exp (gamma * years) - 1
      let below = (gamma + speed) * growth + 2 * gamma
      let b = 2 * growth / below
      let log_a =
        2 * speed * mean / variance
        * (f64.log (2 * gamma / below) + 0.5 * (speed + gamma) * years)
      in (b * rate - log_a) / years
    in {yield}
}

def maturities : []f64 = [0.25, 0.5, 1, 2, 3, 5, 7, 10, 15, 20]

type quote = {years: f64, yield: f64}

def error [n] (m: model) (quotes: [n]quote) (p: vec3.t) : f64 =
  f64.sum (map (\q -> (m.yield p q.years - q.yield) ** 2) quotes)

def slope (m: model) (p: vec3.t) (years: f64) : vec3.t =
  let h = 1e-5
  let along e = (m.yield (vec3.add p e) years - m.yield (vec3.sub p e) years) / (2 * h)
  in (along (h, 0, 0), along (0, h, 0), along (0, 0, h))

-- One step from p, where the error is e, damped by lambda: the next of all three.
def improve [n] (m: model) (quotes: [n]quote) (p: vec3.t, e: f64, lambda: f64)
            : (vec3.t, f64, f64) =
  let normal (q: quote) =
    let s = slope m p q.years
    in (mat3.outer s s, vec3.scale (q.yield - m.yield p q.years) s)
  let plus (a, x) (b, y) = (mat3.add a b, vec3.add x y)
  let (a, right) = reduce plus (mat3.zero, vec3.zero) (map normal quotes)
  let damping = ((lambda, 0, 0), (0, lambda, 0), (0, 0, lambda))
  let next = vec3.add p (mat3.solve (mat3.add a damping) right)
  let e' = error m quotes next
  in if e' < e then (next, e', 0.3 * lambda) else (p, e, 4 * lambda)

def calibrate [n] (steps: i32) (m: model) (quotes: [n]quote) : (vec3.t, f64) =
  let start = vec3.map f64.log (0.5, 0.05, 0.1)
  let (p, e, _) = iterate steps (improve m quotes) (start, error m quotes start, 1e-4)
  in (p, e)

entry main [n] (steps: i32) (a: [n]f64) (b: [n]f64) (c: [n]f64) (d: [n]f64) : ([n]f64, [n]f64) =
  let one x y z w =
    let m = cir.model (0.01 + 0.04 * w)
    let truth = vec3.map f64.log (0.2 + 0.8 * x, 0.02 + 0.06 * y, 0.05 + 0.15 * z)
    let quote years = {years, yield = m.yield truth years + 1e-3 * f64.cos (7 * years * (1 + x))}
    let quotes = map quote maturities
    let (p, e) = calibrate steps m quotes
    in (f64.sqrt (e / f64.i64 (length quotes)), m.yield p 30)
  in unzip (map4 one a b c d)
