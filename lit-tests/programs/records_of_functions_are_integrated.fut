-- Integrators for ordinary differential equations over records of functions, and abstract states.
-- ==
-- entry: decay
-- input { 100 } output { true true true }

-- ==
-- entry: kepler
-- input { 1000 } output { true }

-- ==
-- entry: lorenz
-- input { 10 } output { [3i64] }

-- ==
-- entry: adaptive
-- input { } output { true }

type^ space 's = {add: s -> s -> s, scale: f64 -> s -> s, norm: s -> f64}
type^ system 's = {space: space s, derivative: f64 -> s -> s}
type^ stepper 's = system s -> f64 -> (f64, s) -> (f64, s)

def euler 's : stepper s = \sys h (t, y) ->
  (t + h, sys.space.add y (sys.space.scale h (sys.derivative t y)))

def midpoint 's : stepper s = \(sys: system s) h (t, y) ->
  let {space = sp, derivative = f} = sys
  let k1 = f t y
  let k2 = f (t + h / 2) (y `sp.add` sp.scale (h / 2) k1)
  in (t + h, y `sp.add` sp.scale h k2)

def rk4 's (sys: system s) (h: f64) (t: f64, y: s): (f64, s) =
  let (+) = sys.space.add
  let (*) = sys.space.scale
  let f = sys.derivative
  let k1 = f t y
  let k2 = f (t f64.+ h / 2) (y + (h / 2) * k1)
  let k3 = f (t f64.+ h / 2) (y + (h / 2) * k2)
  let k4 = f (t f64.+ h) (y + h * k3)
  in (t f64.+ h, y + (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4))

def solve 's (step: stepper s) (sys: system s) (n: i32) (t1: f64) (y0: s): s =
  let h = t1 / f64.i32 n
  in (iterate n (step sys h) (0, y0)).1

def reals: space f64 = {add = (+), scale = (*), norm = f64.abs}
def pairs 'a (s: space a): space (a, a) =
  { add = \(a, b) (c, d) -> (s.add a c, s.add b d)
  , scale = \k (a, b) -> (s.scale k a, s.scale k b)
  , norm = \(a, b) -> s.norm a f64.+ s.norm b }
def arrays (n: i64): space ([n]f64) =
  { add = map2 (+), scale = \k -> map (k *), norm = \xs -> f64.maximum (map f64.abs xs) }

entry decay (n: i32) =
  let sys: system f64 = {space = reals, derivative = \_ y -> -y}
  let exact = f64.exp (-1)
  let close tol y = f64.abs (y - exact) < tol
  in (close 1e-2 (solve euler sys n 1 1), close 1e-4 (solve midpoint sys n 1 1), close 1e-8 (solve rk4 sys n 1 1))

entry kepler (n: i32) =
  let vec = pairs reals
  let sys: system ((f64, f64), (f64, f64)) =
    { space = pairs vec
    , derivative = \_ ((x, y), v) ->
        let r3 = (x * x + y * y) ** 1.5
        in (v, (-x / r3, -y / r3)) }
  let ((x, y), _) = solve rk4 sys n (2 * f64.pi) ((1, 0), (0, 1))
  in f64.abs (x - 1) < 1e-6 && f64.abs y < 1e-6

entry lorenz (n: i32) =
  let f (_: f64) (p: [3]f64) = [10 * (p[1] - p[0]), p[0] * (28 - p[2]) - p[1], p[0] * p[1] - 8 / 3 * p[2]]
  let y = solve rk4 {space = arrays 3, derivative = f} n 0.1 [1, 1, 1]
  in [length (filter (> 0) y)]

def adaptive_solve 's (sys: system s) (tol: f64) (t1: f64) (y0: s): (s, i32) =
  let (_, y, _, k) =
    loop (t, y, h, k) = (0f64, y0, 0.1f64, 0i32) while t < t1 && k < 10000 do
      let h = f64.min h (t1 - t)
      let (_, big) = rk4 sys h (t, y)
      let (_, small) = (rk4 sys (h / 2) >-> rk4 sys (h / 2)) (t, y)
      let err = sys.space.norm (sys.space.add big (sys.space.scale (-1) small))
      in if err < tol then (t + h, small, h * 1.5, k + 1) else (t, y, h / 2, k + 1)
  in (y, k)

entry adaptive =
  let (y, k) = adaptive_solve {space = reals, derivative = \t y -> -2 * t * y} 1e-8 2 1
  in f64.abs (y - f64.exp (-4)) < 1e-5 && k < 200
