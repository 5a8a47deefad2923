-- Gravity among n bodies, every pair of them, by explicit Euler steps.
-- ==
-- input { 3i32 0.01f64 [0f64, 1f64, 0f64] [0f64, 0f64, 2f64] [0f64, 0f64, 0f64] [10f64, 1f64, 2f64] }
-- output @ data/nbody.out

type vec3 = (f64, f64, f64)

type body = {position: vec3, velocity: vec3, mass: f64}

def (<+>) ((a, b, c): vec3) ((x, y, z): vec3) : vec3 = (a + x, b + y, c + z)

def (<->) ((a, b, c): vec3) ((x, y, z): vec3) : vec3 = (a - x, b - y, c - z)

def scale (k: f64) ((x, y, z): vec3) : vec3 = (k * x, k * y, k * z)

def dot ((a, b, c): vec3) ((x, y, z): vec3) : f64 = a * x + b * y + c * z

-- Softened, so that a body does not pull itself.
def pull (to: body) (from: body) : vec3 =
  let r = from.position <-> to.position
  let d2 = dot r r + 1e-3
  in scale (from.mass / (d2 * f64.sqrt d2)) r

def step [n] (dt: f64) (bodies: [n]body) : [n]body =
  let advance (b: body) =
    let acceleration = reduce (<+>) (0, 0, 0) (map (pull b) bodies)
    let velocity = b.velocity <+> scale dt acceleration
    in b with velocity = velocity with position = b.position <+> scale dt velocity
  in map advance bodies

entry main [n] (steps: i32) (dt: f64) (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) (masses: [n]f64)
             : ([n]f64, [n]f64, [n]f64) =
  let start =
    map4 (\x y z mass -> {position = (x, y, z), velocity = (0, 0, 0), mass}) xs ys zs masses
  let end = iterate steps (step dt) start
  in unzip3 (map (.position) end)
