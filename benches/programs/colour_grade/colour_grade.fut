-- Grading of a picture's colours: from the curve of sRGB to light, a matrix, a turn of the hue with more
-- saturation, a curve of tones as that of film, and back.
-- ==
-- random input { 1.5f32 0.1f32 1.2f32 [600][400][3]f32 }
-- input { 1.5f32 0.1f32 1.2f32 [[[0f32, 0.25f32, 0.75f32], [0.03f32, 0.5f32, 1f32]]] }
-- output { [[[0.0f32, 0.08304783f32, 0.65933603f32], [0.0f32, 0.39712736f32, 0.7908944f32]]] }

module type rgb = {
  type t
  val mk : f32 -> f32 -> f32 -> t
  val from_array : [3]f32 -> t
  val to_array : t -> [3]f32
  val map : (f32 -> f32) -> t -> t
  val dot : t -> t -> f32
}

module rgb = {
  type t = {r: f32, g: f32, b: f32}
  def mk r g b : t = {r, g, b}
  def from_array (a: [3]f32) : t = mk a[0] a[1] a[2]
  def to_array ({r, g, b}: t) : [3]f32 = [r, g, b]
  def map (f: f32 -> f32) ({r, g, b}: t) : t = mk (f r) (f g) (f b)
  def dot (a: t) (b: t) : f32 = a.r * b.r + a.g * b.g + a.b * b.b
}

-- Transfer functions between what is stored and light.
module srgb = {
  def decode (x: f32) : f32 = if x <= 0.04045 then x / 12.92 else ((x + 0.055) / 1.055) ** 2.4
  def encode (x: f32) : f32 =
    if x <= 0.0031308 then 12.92 * x else 1.055 * x ** (1 / 2.4) - 0.055
}

type hsv = {h: f32, s: f32, v: f32}

module hsv = {
  def from_rgb ({r, g, b}: rgb.t) : hsv =
    let v = f32.max r (f32.max g b)
    let d = v - f32.min r (f32.min g b)
    let h =
      if d == 0
      then 0
      else if v == r then (g - b) / d else if v == g then 2 + (b - r) / d else 4 + (r - g) / d
    in {h, s = if v == 0 then 0 else d / v, v}

  def to_rgb ({h, s, v}: hsv) : rgb.t =
    let part n =
      let k = (n + h) % 6
      in v - v * s * f32.max 0 (f32.min 1 (f32.min k (4 - k)))
    in rgb.mk (part 5) (part 3) (part 1)

  def turn (by: f32) (more: f32) (c: hsv) : hsv =
    {h = c.h + by + 6, s = f32.min 1 (more * c.s), v = c.v}
}

def apply_matrix (a: rgb.t, b: rgb.t, c: rgb.t) (x: rgb.t) : rgb.t =
  rgb.(mk (dot a x) (dot b x) (dot c x))

-- John Hable's curve.
def film (x: f32) : f32 =
  let curve x = (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.0666667
  in f32.max 0 (curve (2 * x) / curve 11.2)

def warmer = (rgb.mk 1.05 0.03 0, rgb.mk 0.02 0.98 0.01, rgb.mk 0 0.02 0.9)

def grade (exposure: f32) (turn: f32) (saturation: f32) (c: rgb.t) : rgb.t =
  c
  |> rgb.map srgb.decode
  |> apply_matrix warmer
  |> hsv.from_rgb
  |> hsv.turn turn saturation
  |> hsv.to_rgb
  |> rgb.map ((* exposure) >-> film >-> srgb.encode)

entry main [n] [m] (exposure: f32) (turn: f32) (saturation: f32) (picture: [n][m][3]f32)
           : [n][m][3]f32 =
  map (map (rgb.from_array >-> grade exposure turn saturation >-> rgb.to_array)) picture
