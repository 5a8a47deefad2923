-- A fluid in a box after Jos Stam's "Stable fluids": velocities diffuse, are made free of divergence and
-- carry themselves and a dye along. Linear systems are solved by sweeps of relaxation.
-- ==
-- random input { 8i32 20i32 0.2f32 [256][256]f32 [256][256]f32 [256][256]f32 }
-- input { 1i32 3i32 0.1f32 [[0f32, 0.5f32, 1f32], [1f32, 0.25f32, 0.75f32], [0f32, 1f32, 0f32]]
--         [[1f32, 0.5f32, 0.25f32], [0.5f32, 1f32, 1f32], [0f32, 0f32, 1f32]]
--         [[0f32, 1f32, 0f32], [0f32, 0f32, 1f32], [1f32, 0.5f32, 0f32]] }
-- output { [[0.04765098f32, 0.044051565f32, 0.12381624f32], [0.23831575f32, 0.091450885f32, 0.14830962f32],
--          [0.035086244f32, 0.42317542f32, 0.28954193f32]] [[0.0f32, 0.9413307f32, 0.15304804f32], [0.03215003f32,
--          0.077370554f32, 0.42355806f32], [0.8597195f32, 0.0f32, 0.19814335f32]] }

module type vector_space = {
  type t
  val zero : t
  val add : t -> t -> t
  val scale : f32 -> t -> t
}

module scalar : vector_space with t = f32 = {
  type t = f32
  def zero = 0f32
  def add = (f32.+)
  def scale = (f32.*)
}

type vec2 = {x: f32, y: f32}

module plane : vector_space with t = vec2 = {
  type t = vec2
  def zero : t = {x = 0, y = 0}
  def add (a: t) (b: t) : t = {x = a.x + b.x, y = a.y + b.y}
  def scale (k: f32) (a: t) : t = {x = k * a.x, y = k * a.y}
}

-- Fields of values over the cells of a box; outside of it they are zero.
module field (V: vector_space) = {
  def at [n] [m] (f: [n][m]V.t) (i: i64) (j: i64) : V.t =
    if i >= 0 && i < n && j >= 0 && j < m then f[i, j] else V.zero

  def neighbours [n] [m] (f: [n][m]V.t) (i: i64) (j: i64) : V.t =
    (at f (i - 1) j `V.add` at f (i + 1) j) `V.add` (at f i (j - 1) `V.add` at f i (j + 1))

  -- Sweeps of Jacobi's method for x - a (the neighbours of x) = b, where the diagonal is c.
  def relax [n] [m] (sweeps: i32) (a: f32) (c: f32) (b: [n][m]V.t) : [n][m]V.t =
    let sweep x =
      tabulate_2d n m (\i j -> V.scale (1 / c) (b[i, j] `V.add` V.scale a (neighbours x i j)))
    in iterate sweeps sweep (copy b)

  -- The value between cells.
  def sample [n] [m] (f: [n][m]V.t) (y: f32) (x: f32) : V.t =
    let y = f32.max 0 (f32.min (f32.i64 n - 1) y)
    let x = f32.max 0 (f32.min (f32.i64 m - 1) x)
    let (i, j) = (i64.f32 y, i64.f32 x)
    let (t, s) = (y - f32.i64 i, x - f32.i64 j)
    let line i = V.scale (1 - s) (at f i j) `V.add` V.scale s (at f i (j + 1))
    in V.scale (1 - t) (line i) `V.add` V.scale t (line (i + 1))

  def advect [n] [m] (dt: f32) (velocity: [n][m]vec2) (f: [n][m]V.t) : [n][m]V.t =
    tabulate_2d n m (\i j ->
      let {x, y} = velocity[i, j]
      in sample f (f32.i64 i - dt * y) (f32.i64 j - dt * x))
}

module scalars = field scalar
module vectors = field plane

-- Takes the divergence out of velocities.
def project [n] [m] (sweeps: i32) (velocity: [n][m]vec2) : [n][m]vec2 =
  let at = vectors.at velocity
  let divergence i j =
    -0.5 * ((at i (j + 1)).x - (at i (j - 1)).x + (at (i + 1) j).y - (at (i - 1) j).y)
  let pressure = scalars.relax sweeps 1 4 (tabulate_2d n m divergence)
  let slope i j : vec2 =
    { x = 0.5 * (scalars.at pressure i (j + 1) - scalars.at pressure i (j - 1))
    , y = 0.5 * (scalars.at pressure (i + 1) j - scalars.at pressure (i - 1) j) }
  in tabulate_2d n m (\i j -> velocity[i, j] `plane.add` plane.scale (-1) (slope i j))

def step [n] [m] (sweeps: i32) (viscosity: f32) (velocity: [n][m]vec2, dye: [n][m]f32)
         : ([n][m]vec2, [n][m]f32) =
  let dt = 4
  let velocity =
    velocity
    |> vectors.relax sweeps viscosity (1 + 4 * viscosity)
    |> project sweeps
    |> (\v -> vectors.advect dt v v)
    |> project sweeps
  in (velocity, scalars.advect dt velocity dye)

entry main [n] [m] (steps: i32) (sweeps: i32) (viscosity: f32) (us: [n][m]f32) (vs: [n][m]f32)
                   (dye: [n][m]f32) : ([n][m]f32, [n][m]f32) =
  let velocity = map2 (map2 (\u v -> {x = u - 0.5, y = v - 0.5})) us vs
  let (velocity, dye) = iterate steps (step sweeps viscosity) (velocity, dye)
  let speed {x, y} = f32.sqrt (x * x + y * y)
  in (map (map speed) velocity, dye)
