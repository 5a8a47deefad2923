-- Sphere tracing: a scene is a function from points to their distance from the nearest surface, put
-- together from smaller ones. Rays advance by that distance until they are near enough.
-- ==
-- random input { 160i64 120i64 0.5f64 }
-- input { 4i64 3i64 0.25f64 }
-- output { [[[0.7f64, 0.8f64, 0.9f64], [0.7f64, 0.8f64, 0.9f64], [0.7f64, 0.8f64, 0.9f64], [0.7f64, 0.8f64,
--          0.9f64]], [[0.5460602927074327f64, 0.6255720370363111f64, 0.6444121704324935f64], [0.5362258791348776f64,
--          0.5941644370536162f64, 0.6280839828253494f64], [0.8118148762754264f64, 0.3701406646781811f64,
--          0.3095836084559581f64], [0.5460601863129798f64, 0.5648997734708129f64, 0.6444119936967362f64]],
--          [[0.45857468392124645f64, 0.5195097817992446f64, 0.49915882246025317f64], [0.1796987606930874f64,
--          0.27963517394294196f64, 0.40693243624837155f64], [0.21138727122245848f64, 0.3588564488430489f64,
--          0.5495307303094595f64], [0.45857483491533607f64, 0.4382238755763447f64, 0.4991589734543428f64]]] }

type vec = {x: f64, y: f64, z: f64}

def vec x y z : vec = {x, y, z}
def add (a: vec) (b: vec) : vec = vec (a.x + b.x) (a.y + b.y) (a.z + b.z)
def sub (a: vec) (b: vec) : vec = vec (a.x - b.x) (a.y - b.y) (a.z - b.z)
def scale (k: f64) (a: vec) : vec = vec (k * a.x) (k * a.y) (k * a.z)
def dot (a: vec) (b: vec) : f64 = a.x * b.x + a.y * b.y + a.z * b.z
def norm (a: vec) : f64 = f64.sqrt (dot a a)
def normalise (a: vec) : vec = scale (1 / norm a) a

-- A body: how far a point is from it, and its colour there.
type^ body = {distance: vec -> f64, tint: vec -> vec}

module body = {
  def ball (radius: f64) : body = {distance = \p -> norm p - radius, tint = \_ -> vec 0.9 0.3 0.2}

  def torus (large: f64) (small: f64) : body =
    let distance (p: vec) =
      let around = f64.sqrt (p.x * p.x + p.z * p.z) - large
      in f64.sqrt (around * around + p.y * p.y) - small
    in {distance, tint = \_ -> vec 0.2 0.5 0.9}

  def floor (height: f64) : body =
    {distance = \p -> p.y - height, tint = \p -> vec 0.5 (0.5 + 0.1 * f64.sin (3 * p.x)) 0.5}

  def move (by: vec) (b: body) : body =
    {distance = \p -> b.distance (p `sub` by), tint = \p -> b.tint (p `sub` by)}

  def turn (angle: f64) (b: body) : body =
    let (s, c) = (f64.sin angle, f64.cos angle)
    let back (p: vec) = vec p.x (c * p.y + s * p.z) (c * p.z - s * p.y)
    in {distance = \p -> b.distance (back p), tint = \p -> b.tint (back p)}

  def both (a: body) (b: body) : body =
    { distance = \p -> f64.min (a.distance p) (b.distance p)
    , tint = \p -> if a.distance p < b.distance p then a.tint p else b.tint p }

  -- Both, with a seam that is rounded off.
  def melt (k: f64) (a: body) (b: body) : body =
    let weight p = f64.max 0 (f64.min 1 (0.5 + 0.5 * (b.distance p - a.distance p) / k))
    let mix x y w = y + w * (x - y)
    in { distance = \p ->
           let w = weight p
           in mix (a.distance p) (b.distance p) w - k * w * (1 - w)
       , tint = \p -> scale (weight p) (a.tint p) `add` scale (1 - weight p) (b.tint p) }
}

-- How far along a ray the body is; beyond 20 there is nothing.
def march (b: body) (origin: vec) (direction: vec) : f64 =
  let at t = origin `add` scale t direction
  let (t, _, _) =
    loop (t, d, k) = (0, 1, 0i32) while d > 1e-4 && t < 20 && k < 100 do
      let d = b.distance (at t)
      in (t + d, d, k + 1)
  in t

def normal (b: body) (p: vec) : vec =
  let along e = b.distance (p `add` e) - b.distance (p `sub` e)
  in normalise (vec (along (vec 1e-4 0 0)) (along (vec 0 1e-4 0)) (along (vec 0 0 1e-4)))

def light : vec = normalise (vec 1 2 1.5)

def shade (b: body) (direction: vec) (t: f64) (p: vec) : vec =
  let n = normal b p
  let lifted = p `add` scale 1e-2 n
  let sun = if march b lifted light < 20 then 0 else f64.max 0 (dot n light)
  let half = normalise (light `sub` direction)
  let shine = 0.5 * sun * f64.max 0 (dot n half) ** 32
  let fog = f64.exp (-0.05 * t)
  let tinted = scale (0.2 + 0.8 * sun) (b.tint p) `add` vec shine shine shine
  in scale fog tinted `add` scale (1 - fog) (vec 0.7 0.8 0.9)

def scene (time: f64) : body =
  let ring = body.(move (vec 0 0.2 0) (turn (1 + time) (torus 1 0.25)))
  let drop = body.(move (vec (f64.sin time) 0.3 0.2) (ball 0.6))
  in body.(both (floor (-0.8)) (melt 0.3 ring drop))

entry main (width: i64) (height: i64) (time: f64) : [height][width][3]f64 =
  let b = scene time
  let origin = vec 0 1 4
  let pixel i j =
    let u = (2 * f64.i64 j + 1 - f64.i64 width) / f64.i64 height
    let v = (f64.i64 height - 2 * f64.i64 i - 1) / f64.i64 height
    let direction = normalise (vec u (v - 0.3) (-2))
    let t = march b origin direction
    let c = if t < 20 then shade b direction t (origin `add` scale t direction) else vec 0.7 0.8 0.9
    in [c.x, c.y, c.z]
  in tabulate_2d height width pixel
