-- A landscape from gradient noise: octaves of Perlin's noise are added up, the places where they are
-- taken being moved by noise too, and heights become colours.
-- ==
-- random input { 400i64 300i64 5i32 0.5f32 }
-- input { 3i64 2i64 3i32 0.25f32 }
-- output { [[0.1f32, 0.14243667f32, 0.20384786f32], [0.17230882f32, 0.20378111f32, 0.39454493f32]]
--          [[0.2f32, 0.32731f32, 0.49711412f32], [0.41692644f32, 0.49716416f32, 0.3540913f32]] [[0.5f32,
--          0.33025336f32, 0.10384784f32], [0.21076474f32, 0.103781104f32, 0.29454494f32]] }

module hash = {
  def mix (x: u32) : u32 =
    let x = (x ^ (x >> 16)) * 0x7feb352d
    let x = (x ^ (x >> 15)) * 0x846ca68b
    in x ^ (x >> 16)

  def pair (i: i32) (j: i32) : u32 = mix (u32.i32 i + mix (u32.i32 j))
}

module vec2 = {
  type t = {x: f32, y: f32}
  def add (a: t) (b: t) : t = {x = a.x + b.x, y = a.y + b.y}
  def scale (k: f32) (a: t) : t = {x = k * a.x, y = k * a.y}
  def dot (a: t) (b: t) : f32 = a.x * b.x + a.y * b.y
}

module colour = {
  type t = {r: f32, g: f32, b: f32}
  def mix (k: f32) (a: t) (b: t) : t =
    let f x y = x + k * (y - x)
    in {r = f a.r b.r, g = f a.g b.g, b = f a.b b.b}
}

def fade (t: f32) : f32 = t * t * t * (t * (t * 6 - 15) + 10)
def lerp (k: f32) (a: f32) (b: f32) : f32 = a + k * (b - a)

-- One of eight directions.
def gradient (h: u32) : vec2.t =
  let diagonal = h & 4 != 0
  let sign bit = if h & bit != 0 then -1 else 1
  in if diagonal
     then {x = 0.70710678 * sign 1, y = 0.70710678 * sign 2}
     else if h & 1 != 0 then {x = 0, y = sign 2} else {x = sign 2, y = 0}

def noise (p: vec2.t) : f32 =
  let (x0, y0) = (f32.floor p.x, f32.floor p.y)
  let (dx, dy) = (p.x - x0, p.y - y0)
  let (i, j) = (i32.f32 x0, i32.f32 y0)
  let corner di dj =
    vec2.dot (gradient (hash.pair (i + di) (j + dj))) {x = dx - f32.i32 di, y = dy - f32.i32 dj}
  let above = lerp (fade dx) (corner 0 0) (corner 1 0)
  let below = lerp (fade dx) (corner 0 1) (corner 1 1)
  in lerp (fade dy) above below

def octaves (n: i32) (p: vec2.t) : f32 =
  let (sum, _, _) =
    loop (sum, size, p) = (0, 0.5, p) for _i < n do
      (sum + size * noise p, 0.5 * size, vec2.add (vec2.scale 2 p) {x = 17.3, y = -9.1})
  in sum

-- Noise where noise has moved the places.
def warped (n: i32) (strength: f32) (p: vec2.t) : f32 =
  let shift = {x = octaves n p, y = octaves n (vec2.add p {x = 5.2, y = 1.3})}
  in octaves n (vec2.add p (vec2.scale (4 * strength) shift))

def smoothstep (from: f32) (to: f32) (x: f32) : f32 =
  let t = f32.max 0 (f32.min 1 ((x - from) / (to - from)))
  in t * t * (3 - 2 * t)

def paint (height: f32) : colour.t =
  let water = {r = 0.1, g = 0.2, b = 0.5}
  let meadow = {r = 0.2, g = 0.5, b = 0.1}
  let rock = {r = 0.4, g = 0.35, b = 0.3}
  let snow = {r = 1, g = 1, b = 1}
  in water
     |> flip (colour.mix (smoothstep (-0.05) 0.05 height)) meadow
     |> flip (colour.mix (smoothstep 0.1 0.25 height)) rock
     |> flip (colour.mix (smoothstep 0.25 0.4 height)) snow

entry main (width: i64) (height: i64) (n: i32) (strength: f32)
         : ([height][width]f32, [height][width]f32, [height][width]f32) =
  let pixel i j =
    let at = {x = 8 * f32.i64 j / f32.i64 width, y = 6 * f32.i64 i / f32.i64 height}
    let {r, g, b} = paint (warped n strength at)
    in (r, g, b)
  let picture = tabulate_2d height width pixel
  in unzip3 (map unzip3 picture)
