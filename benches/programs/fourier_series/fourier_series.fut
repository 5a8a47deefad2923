-- The first Fourier coefficients of (x + 1)^x on the interval from 0 to 2, by the trapezium rule.
-- ==
-- random input { 200i64 4000i64 }
-- input { 4i64 100i64 }
-- output { [5.76436584277154f64, 1.1345652678925402f64, 0.36275045589144905f64, 0.17084759235769129f64]
--          [0.0f64, -1.8812525147956995f64, -1.1631305780571186f64, -0.8121947463030845f64] }

-- The integral of f from a to b, from as many points.
def integrate (points: i64) (a: f64) (b: f64) (f: f64 -> f64) : f64 =
  let h = (b - a) / f64.i64 points
  let inner = f64.sum (tabulate (points - 1) (\i -> f (a + h * f64.i64 (i + 1))))
  in h * (0.5 * (f a + f b) + inner)

def series (points: i64) (f: f64 -> f64) (period: f64) (k: i64) : (f64, f64) =
  let omega = 2 * f64.pi / period * f64.i64 k
  let coefficient wave = 2 / period * integrate points 0 period (\x -> f x * wave (omega * x))
  in (coefficient f64.cos, coefficient f64.sin)

entry main (coefficients: i64) (points: i64) : ([coefficients]f64, [coefficients]f64) =
  unzip (tabulate coefficients (series points (\x -> (x + 1) ** x) 2))
