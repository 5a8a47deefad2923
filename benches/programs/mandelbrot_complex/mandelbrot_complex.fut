-- A picture of the Mandelbrot set, written over modules of complex numbers and of colours: points outside
-- are coloured after how quickly they escape, smoothly, and every pixel is the mean of four points.
-- ==
-- random input { 240i64 180i64 100i32 }
-- input { 4i64 3i64 20i32 }
-- output { [[[0.8469659f32, 0.021186769f32, 0.6445092f32], [0.6951742f32, 0.015616886f32, 0.7963313f32],
--          [0.16894233f32, 0.1720255f32, 0.40607417f32], [0.53103065f32, 0.20973584f32, 0.76036596f32]],
--          [[0.6618561f32, 0.02003625f32, 0.8240143f32], [0.0317533f32, 0.24828793f32, 0.4619944f32], [0.0f32,
--          0.0f32, 0.0f32], [0.2708935f32, 0.021624237f32, 0.4582448f32]], [[0.8469659f32, 0.021186769f32,
--          0.6445092f32], [0.69517434f32, 0.015616886f32, 0.79633135f32], [0.16894233f32, 0.1720255f32,
--          0.40607417f32], [0.53103065f32, 0.20973586f32, 0.7603659f32]]] }

module type complex = {
  type real
  type complex
  val mk : real -> real -> complex
  val zero : complex
  val + : complex -> complex -> complex
  val * : complex -> complex -> complex
  val norm2 : complex -> real
}

module mk_complex (R: real) : complex with real = R.t = {
  type real = R.t
  type complex = {re: R.t, im: R.t}

  def mk re im : complex = {re, im}
  def zero = mk (R.i32 0) (R.i32 0)
  def (a: complex) + (b: complex) = mk (a.re R.+ b.re) (a.im R.+ b.im)
  def (a: complex) * (b: complex) =
    mk (a.re R.* b.re R.- a.im R.* b.im) (a.re R.* b.im R.+ a.im R.* b.re)
  def norm2 (a: complex) = a.re R.* a.re R.+ a.im R.* a.im
}

module c64 = mk_complex f64

module colour = {
  type t = {r: f32, g: f32, b: f32}

  def black : t = {r = 0, g = 0, b = 0}
  def add (a: t) (b: t) : t = {r = a.r + b.r, g = a.g + b.g, b = a.b + b.b}
  def scale (k: f32) (a: t) : t = {r = k * a.r, g = k * a.g, b = k * a.b}

  -- A smooth cycle of colours.
  def cycle (x: f32) : t =
    let wave shift = 0.5 + 0.5 * f32.cos (6.2831853 * (x + shift))
    in {r = wave 0, g = wave 0.33, b = wave 0.67}
}

-- After how many steps a point escapes, and how far away it is then.
def escape (limit: i32) (c: c64.complex) : (i32, f64) =
  let (z, steps) =
    loop (z, steps) = (c64.zero, 0) while steps < limit && c64.norm2 z <= 64 do
      (c64.(z * z + c), steps + 1)
  in (steps, c64.norm2 z)

def shade (limit: i32) (c: c64.complex) : colour.t =
  let (steps, far) = escape limit c
  in if far <= 64
     then colour.black
     else let smooth = f32.i32 steps + 1 - f32.log2 (0.5 * f32.log2 (f32.f64 far))
          in colour.cycle (0.05 * smooth)

entry main (width: i64) (height: i64) (limit: i32) : [height][width][3]f32 =
  let point y x = c64.mk (-2.25 + 3 * x / f64.i64 width) (-1.25 + 2.5 * y / f64.i64 height)
  let pixel i j =
    let sample di dj = shade limit (point (f64.i64 i + di) (f64.i64 j + dj))
    let above = sample 0.25 0.25 `colour.add` sample 0.25 0.75
    let below = sample 0.75 0.25 `colour.add` sample 0.75 0.75
    let {r, g, b} = colour.scale 0.25 (above `colour.add` below)
    in [r, g, b]
  in tabulate_2d height width pixel
