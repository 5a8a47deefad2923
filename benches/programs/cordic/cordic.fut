-- Fixed-point arithmetic: rigid bodies of points are turned about all three axes with sines and cosines by
-- CORDIC, and thrown onto a screen; roots are taken by Newton's method. No floating point is used.
-- ==
-- random input { [200000][3]i32 [200000][3]i16 }
-- input { [[65536i32, 0i32, 131072i32], [-100000i32, 500000i32, 7i32]] [[100i16, 200i16, 300i16], [-32768i16, 0i16, 32767i16]] }
-- output { [-223i32, -61594i32] [-248i32, 10130i32] [677i32, 92674i32] }

-- Numbers with 16 bits behind the point.
module fixed = {
  type t = i32

  def from_i32 (x: i32) : t = x << 16
  def one : t = from_i32 1
  def (a: t) * (b: t) : t = i32.i64 ((i64.i32 a i64.* i64.i32 b) >> 16)
  def (a: t) / (b: t) : t = i32.i64 ((i64.i32 a << 16) i64./ i64.i32 b)

  -- The root of a number that is not negative.
  def sqrt (x: t) : t =
    let step r = (r + x / r) >> 1
    in if x <= 0 then 0 else iterate 8i32 step (i32.max 256 (x >> 1))
}

module cordic = {
  def steps : i64 = 16

  -- The arcus tangens of 1, 1/2, 1/4, …
  def angles : [16]fixed.t =
    [51472, 30386, 16055, 8150, 4091, 2047, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2]

  -- The product of the cosines of these angles.
  def gain : fixed.t = 39797

  def quarter : fixed.t = 102944

  -- The cosine and the sine of an angle of at most a quarter turn.
  def first_quarter (angle: fixed.t) : (fixed.t, fixed.t) =
    let (x, y, _) =
      loop (x, y, z) = (gain, 0, angle) for k < steps do
        let (dx, dy) = (x >> i32.i64 k, y >> i32.i64 k)
        in if z >= 0 then (x - dy, y + dx, z - angles[k]) else (x + dy, y - dx, z + angles[k])
    in (x, y)

  def cos_sin (angle: fixed.t) : (fixed.t, fixed.t) =
    let turns = angle i32.// quarter
    let (c, s) = first_quarter (angle - turns * quarter)
    in match turns & 3
       case 0 -> (c, s)
       case 1 -> (-s, c)
       case 2 -> (-c, -s)
       case _ -> (s, -c)
}

type vec = {x: fixed.t, y: fixed.t, z: fixed.t}

def rotate_pair (angle: fixed.t) (a: fixed.t, b: fixed.t) : (fixed.t, fixed.t) =
  let (c, s) = cordic.cos_sin angle
  in fixed.((a * c - b * s, a * s + b * c))

def turn (angles: vec) (p: vec) : vec =
  let (x, y) = rotate_pair angles.z (p.x, p.y)
  let (x, z) = rotate_pair angles.y (x, p.z)
  let (y, z) = rotate_pair angles.x (y, z)
  in {x, y, z}

def norm (p: vec) : fixed.t = fixed.(sqrt (p.x * p.x + p.y * p.y + p.z * p.z))

-- The place on the screen, which is two away from the middle.
def project (p: vec) : (fixed.t, fixed.t) =
  let depth = i32.max (fixed.one >> 4) (p.z + 2 * fixed.one)
  in fixed.((p.x / depth, p.y / depth))

entry main [n] (angles: [n][3]i32) (points: [n][3]i16) : ([n]i32, [n]i32, [n]i32) =
  let vec (a: [3]i32) : vec = {x = a[0], y = a[1], z = a[2]}
  let one as ps =
    let bounded = map (% 10000000) as
    let p = turn (vec bounded) (vec (map (i32.i16 >-> (* 2)) ps))
    let (u, v) = project p
    in (u, v, norm p)
  in unzip3 (map2 one angles points)
