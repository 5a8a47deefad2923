-- A path tracer: balls of three materials on a plane, the nearest of which is found by a loop over all.
-- Every path has a generator of random numbers of its own.
-- ==
-- random input { 240i64 180i64 6i32 [20]f64 [20]f64 [20]f64 [20]u8 }
-- input { 3i64 2i64 2i32 [0.5f64, 0.25f64] [0.5f64, 0.75f64] [0.5f64, 0.125f64] [1u8, 2u8] }
-- output { [[[0.6938555484566398f64, 0.8163133290739839f64, 1.0f64], [0.6954181630246793f64,
--          0.8172508978148076f64, 1.0f64], [0.6700771135582324f64, 0.8020462681349394f64, 1.0f64]],
--          [[0.38429352770180136f64, 0.4705761166210808f64, 0.6f64], [0.33658267302119804f64,
--          0.44194960381271875f64, 0.6f64], [0.36176110792418437f64, 0.45705666475451057f64, 0.6f64]]] }

module mk_vec3 (R: real) = {
  type scalar = R.t
  type vector = {x: R.t, y: R.t, z: R.t}

  def mk x y z : vector = {x, y, z}
  def both (f: R.t -> R.t -> R.t) (a: vector) (b: vector) = mk (f a.x b.x) (f a.y b.y) (f a.z b.z)
  def (+) = both (R.+)
  def (-) = both (R.-)
  def (*) = both (R.*)
  def scale (k: R.t) (a: vector) = mk (k R.* a.x) (k R.* a.y) (k R.* a.z)
  def dot (a: vector) (b: vector) = a.x R.* b.x R.+ a.y R.* b.y R.+ a.z R.* b.z
  def norm (a: vector) = R.sqrt (dot a a)
  def normalise (a: vector) = scale (R.i32 1 R./ norm a) a
  def splat k = mk k k k
}

module vec3 = mk_vec3 f64

type vec = vec3.vector
type ray = {origin: vec, direction: vec}

-- George Marsaglia's generator with 32 bits of state.
module rng = {
  type state = u32

  def from_seed (seed: i64) : state =
    let mix (x: u32) = (x ^ (x >> 16)) * 0x45d9f3b
    in mix (mix (u32.i64 seed + 0x9e3779b9)) | 1

  def next (s: state) : (state, f64) =
    let s = s ^ (s << 13)
    let s = s ^ (s >> 17)
    let s = s ^ (s << 5)
    in (s, f64.u32 s / 4294967296)

  -- A direction, all being alike.
  def direction (s: state) : (state, vec) =
    let (s, u) = next s
    let (s, v) = next s
    let z = 2 * u - 1
    let r = f64.sqrt (f64.max 0 (1 - z * z))
    let phi = 2 * f64.pi * v
    in (s, {x = r * f64.cos phi, y = r * f64.sin phi, z})
}

type material = #diffuse vec | #metal {tint: vec, fuzz: f64} | #glass f64
type shape = #sphere {centre: vec, radius: f64} | #plane f64
type object = {shape: shape, material: material}

def intersect (r: ray) (s: shape) : f64 =
  match s
  case #sphere {centre, radius} ->
    let oc = vec3.(r.origin - centre)
    let b = vec3.dot oc r.direction
    let d = b * b - vec3.dot oc oc + radius * radius
    in if d < 0
       then f64.inf
       else let root = f64.sqrt d
            in if -b - root > 1e-6 then -b - root else if root - b > 1e-6 then root - b else f64.inf
  case #plane height ->
    let t = (height - r.origin.y) / r.direction.y
    in if t > 1e-6 then t else f64.inf

def nearest [n] (objects: [n]object) (r: ray) : (f64, i64) =
  loop (best, which) = (f64.inf, -1) for i < n do
    let t = intersect r objects[i].shape
    in if t < best then (t, i) else (best, which)

def normal (at: vec) (s: shape) : vec =
  match s
  case #sphere {centre, radius} -> vec3.scale (1 / radius) vec3.(at - centre)
  case #plane _ -> {x = 0, y = 1, z = 0}

def reflect (d: vec) (n: vec) : vec = vec3.(d - scale (2 f64.* dot d n) n)

-- The direction behind a surface by Snell's law, or the mirrored one where there is none.
def refract (index: f64) (d: vec) (n: vec) : vec =
  let cosine = vec3.dot d n
  let (n, eta) = if cosine < 0 then (n, 1 / index) else (vec3.scale (-1) n, index)
  let c = f64.abs cosine
  let k = 1 - eta * eta * (1 - c * c)
  in if k < 0 then reflect d n else vec3.(scale eta d + scale (eta f64.* c f64.- f64.sqrt k) n)

-- Where a ray goes from a surface, and how much of each colour is left of it.
def scatter_ray (m: material) (d: vec) (n: vec) (s: rng.state) : (rng.state, vec, vec) =
  match m
  case #diffuse tint ->
    let (s, around) = rng.direction s
    in (s, vec3.normalise vec3.(n + scale 0.999 around), tint)
  case #metal {tint, fuzz} ->
    let (s, around) = rng.direction s
    in (s, vec3.normalise vec3.(reflect d n + scale fuzz around), tint)
  case #glass index -> (s, vec3.normalise (refract index d n), vec3.splat 0.95)

def sky (d: vec) : vec =
  let t = 0.5 * (d.y + 1)
  in vec3.(scale (1 f64.- t) (splat 1) + scale t (mk 0.5 0.7 1))

def trace [n] (objects: [n]object) (r: ray) (s: rng.state) : vec =
  let (_, _, light, _, _) =
    loop (r, tint, light, s, depth) = (r, vec3.splat 1, vec3.splat 0, s, 0i32) while depth < 6 do
      let (t, which) = nearest objects r
      in if which < 0
         then (r, tint, vec3.(tint * sky r.direction), s, 6)
         else
           let at = vec3.(r.origin + scale t r.direction)
           let {shape, material} = objects[which]
           let (s, direction, left) = scatter_ray material r.direction (normal at shape) s
           in ({origin = at, direction}, vec3.(tint * left), light, s, depth + 1)
  in light

def scene [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (kinds: [n]u8) : []object =
  let ball x y z kind =
    let tint = vec3.mk (0.2 + 0.7 * x) (0.2 + 0.7 * z) (0.2 + 0.7 * y)
    let material: material =
      match kind % 3
      case 0 -> #diffuse tint
      case 1 -> #metal {tint, fuzz = 0.2 * y}
      case _ -> #glass (1.3 + 0.4 * y)
    let radius = 0.2 + 0.3 * y
    in {shape = #sphere {centre = vec3.mk (6 * x - 3) (radius - 0.5) (-2 - 5 * z), radius}, material}
  let ground = {shape = #plane (-0.5), material = #diffuse (vec3.splat 0.6)}
  in [ground] ++ map4 ball a b c kinds

entry main [n] (width: i64) (height: i64) (samples: i32) (a: [n]f64) (b: [n]f64) (c: [n]f64)
               (kinds: [n]u8) : [height][width][3]f64 =
  let objects = scene a b c kinds
  let camera u v : ray =
    let aspect = f64.i64 width / f64.i64 height
    let direction = vec3.normalise (vec3.mk (aspect * (2 * u - 1)) (1 - 2 * v) (-1.5))
    in {origin = vec3.mk 0 0.6 1, direction}
  let pixel i j =
    let (sum, _) =
      loop (sum, s) = (vec3.splat 0, rng.from_seed (i * width + j)) for _k < samples do
        let (s, du) = rng.next s
        let (s, dv) = rng.next s
        let r = camera ((f64.i64 j + du) / f64.i64 width) ((f64.i64 i + dv) / f64.i64 height)
        let (s', _) = rng.next s
        in (vec3.(sum + trace objects r s), s')
    let mean = vec3.scale (1 / f64.i32 samples) sum
    in [mean.x, mean.y, mean.z]
  in tabulate_2d height width pixel
