-- A quasicrystal: plane waves in as many directions, evenly apart, are added up, and the sum is folded into
-- the range from zero to one and coloured.
-- ==
-- random input { 900i64 675i64 7i64 30f32 0.25f32 }
-- input { 3i64 2i64 5i64 10f32 0.5f32 }
-- output { [[[1.0f32, 1.0f32, 0.5423212f32], [1.0f32, 1.0f32, 0.9900067f32], [1.0f32, 1.0f32,
--          0.82726836f32]], [[1.0f32, 1.0f32, 0.8392763f32], [0.6336851f32, 0.13368511f32, 0.0f32], [0.45095992f32,
--          0.0f32, 0.0f32]]] }

type point = {x: f32, y: f32}
type colour = {r: f32, g: f32, b: f32}

def direction (angle: f32) : point = {x = f32.cos angle, y = f32.sin angle}
def dot (p: point) (q: point) : f32 = p.x * q.x + p.y * q.y

-- One wave, between zero and one.
def wave (time: f32) (p: point) (towards: point) : f32 = 0.5 * (f32.cos (dot towards p + time) + 1)

-- Up and down between zero and one as x grows.
def fold (x: f32) : f32 =
  let k = f32.floor x
  let v = x - k
  in if i32.f32 k % 2 == 0 then v else 1 - v

def waves [n] (time: f32) (directions: [n]point) (p: point) : f32 =
  fold (f32.sum (map (wave time p) directions))

def paint (x: f32) : colour =
  let ramp from to = f32.max 0 (f32.min 1 ((x - from) / (to - from)))
  in {r = ramp 0 0.5, g = ramp 0.25 0.75, b = ramp 0.5 1}

entry main (width: i64) (height: i64) (n: i64) (scale: f32) (time: f32) : [height][width][3]f32 =
  let directions = tabulate n (\k -> direction (f32.pi * f32.i64 k / f32.i64 n))
  let normal size i = 2 * f32.i64 i / f32.i64 size - 1
  let pixel i j =
    let p = {x = scale * normal width j, y = scale * normal height i}
    let {r, g, b} = paint (waves time directions p)
    in [r, g, b]
  in tabulate_2d height width pixel
