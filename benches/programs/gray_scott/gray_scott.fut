-- The reaction and diffusion of two substances after Gray and Scott, on a torus.
-- ==
-- random input { 300i32 [320][320]f32 [320][320]f32 }
-- input { 3i32 [[0f32, 0.5f32, 1f32], [1f32, 0.25f32, 0.75f32]] [[0.5f32, 0f32, 0f32], [0.25f32, 0.5f32, 0f32]] }
-- output { [[0.71394694f32, 0.7767673f32, 0.65756744f32], [0.6551856f32, 0.6985799f32, 0.6941263f32]]
--          [[0.2948116f32, 0.03398614f32, 0.019228447f32], [0.115344845f32, 0.2671216f32, 0.02104466f32]] }

-- Amounts of both.
type mixture = {u: f32, v: f32}

module mixture = {
  def add (a: mixture) (b: mixture) : mixture = {u = a.u + b.u, v = a.v + b.v}
  def scale (k: f32) (a: mixture) : mixture = {u = k * a.u, v = k * a.v}
  def mul (a: mixture) (b: mixture) : mixture = {u = a.u * b.u, v = a.v * b.v}
  def sum [n] (xs: [n]mixture) : mixture = reduce add {u = 0, v = 0} xs
}

type model = {diffusion: mixture, feed: f32, kill: f32}

def coral : model = {diffusion = {u = 0.16, v = 0.08}, feed = 0.06, kill = 0.062}

-- The fields around a place of a torus.
def around [n] [m] 't (field: [n][m]t) (i: i64) (j: i64) : (i64 -> i64 -> t) =
  \di dj -> field[(i + di) % n, (j + dj) % m]

def laplacian (at: i64 -> i64 -> mixture) : mixture =
  let straight = mixture.sum [at (-1) 0, at 1 0, at 0 (-1), at 0 1]
  let diagonal = mixture.sum [at (-1) (-1), at (-1) 1, at 1 (-1), at 1 1]
  let weighted = [mixture.scale 0.2 straight, mixture.scale 0.05 diagonal, mixture.scale (-1) (at 0 0)]
  in mixture.sum weighted

def react (m: model) ({u, v}: mixture) : mixture =
  let uvv = u * v * v
  in {u = m.feed * (1 - u) - uvv, v = uvv - (m.feed + m.kill) * v}

def step [h] [w] (m: model) (field: [h][w]mixture) : [h][w]mixture =
  tabulate_2d h w (\i j ->
    let at = around field i j
    let here = at 0 0
    let spread = mixture.mul m.diffusion (laplacian at)
    in here `mixture.add` spread `mixture.add` react m here)

entry main [h] [w] (steps: i32) (us: [h][w]f32) (vs: [h][w]f32) : ([h][w]f32, [h][w]f32) =
  let start = map2 (map2 (\u v -> {u = 1 - 0.5 * u, v = 0.5 * v})) us vs
  let end = iterate steps (step coral) start
  in (map (map (.u)) end, map (map (.v)) end)
