-- A ring of 45 FitzHugh-Nagumo neurons coupled by diffusion: 90 equations, solved by the classical
-- Runge-Kutta method for many pairs of stimulus and coupling. The results are the mean and the largest
-- potential of each ring at the end.
-- ==
-- random input { 500i32 0.05f32 [400]f32 [400]f32 }
-- input { 10i32 0.05f32 [0.25f32, 0.75f32] [0.5f32, 0.125f32] }
-- output { [-0.7554128f32, -0.46811482f32] [0.0013230813f32, 0.35496953f32] }

module type vector_space = {
  type scalar
  type vector
  val add : vector -> vector -> vector
  val scale : scalar -> vector -> vector
}

-- The classical method of Runge and Kutta for y' = f(y) over any space.
module runge_kutta (V: vector_space with scalar = f32) = {
  def step (f: V.vector -> V.vector) (h: f32) (y: V.vector) : V.vector =
    let along s k = y `V.add` V.scale s k
    let k1 = f y
    let k2 = f (along (h / 2) k1)
    let k3 = f (along (h / 2) k2)
    let k4 = f (along h k3)
    let ends = V.add k1 k4
    let middle = V.scale 2 (V.add k2 k3)
    in along (h / 6) (V.add ends middle)
}

def cells : i64 = 45

-- Potentials and recovery variables of all cells.
type ring = {v: [cells]f32, w: [cells]f32}

module rings = {
  type scalar = f32
  type vector = ring

  def add (a: ring) (b: ring) : ring = {v = map2 (+) a.v b.v, w = map2 (+) a.w b.w}
  def scale (k: f32) (a: ring) : ring = {v = map (* k) a.v, w = map (* k) a.w}
}

module solver = runge_kutta rings

type parameters = {stimulus: f32, coupling: f32}

def derivative (p: parameters) (y: ring) : ring =
  let right i = if i == cells - 1 then 0 else i + 1
  let left i = if i == 0 then cells - 1 else i - 1
  let potential i =
    let v = y.v[i]
    let laplacian = y.v[left i] - 2 * v + y.v[right i]
    in v - v * v * v / 3 - y.w[i] + p.stimulus + p.coupling * laplacian
  let recovery v w = 0.08 * (v + 0.7 - 0.8 * w)
  in {v = tabulate cells potential, w = map2 recovery y.v y.w}

def start : ring =
  { v = tabulate cells (\i -> f32.i64 i / f32.i64 cells - 1)
  , w = tabulate cells (\i -> 0.5 - 0.01 * f32.i64 i) }

def solve (steps: i32) (h: f32) (p: parameters) : ring =
  loop y = copy start for _i < steps do solver.step (derivative p) h y

entry main [n] (steps: i32) (h: f32) (stimuli: [n]f32) (couplings: [n]f32) : ([n]f32, [n]f32) =
  let one stimulus coupling =
    let {v, w = _} = solve steps h {stimulus, coupling}
    in (f32.sum v / f32.i64 cells, f32.maximum v)
  in unzip (map2 one stimuli couplings)
