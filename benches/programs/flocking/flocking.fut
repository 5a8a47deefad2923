-- A flock of birds after Craig Reynolds: each keeps away from those that are too near, flies as its
-- neighbours do and towards their middle, with weights that fade with the distance.
-- ==
-- random input { 20i32 [1500]f32 [1500]f32 [1500]f32 [1500]f32 }
-- input { 2i32 [0f32, 0.25f32, 1f32] [1f32, 0.5f32, 0f32] [0.25f32, 0.5f32, 0.5f32] [0f32, 1f32, 0.5f32] }
-- output { [0.998f32, 0.25f32, 0.0f32] [0.99600005f32, 0.50399995f32, 0.0f32] }

module type vspace = {
  type scalar
  type vector
  val zero : vector
  val + : vector -> vector -> vector
  val - : vector -> vector -> vector
  val scale : scalar -> vector -> vector
  val dot : vector -> vector -> scalar
  val norm : vector -> scalar
}

module vspace_2d (R: real) : vspace with scalar = R.t with vector = {x: R.t, y: R.t} = {
  type scalar = R.t
  type vector = {x: R.t, y: R.t}

  def zero : vector = {x = R.i32 0, y = R.i32 0}
  def (a: vector) + (b: vector) : vector = {x = a.x R.+ b.x, y = a.y R.+ b.y}
  def (a: vector) - (b: vector) : vector = {x = a.x R.- b.x, y = a.y R.- b.y}
  def scale k (a: vector) : vector = {x = k R.* a.x, y = k R.* a.y}
  def dot (a: vector) (b: vector) = a.x R.* b.x R.+ a.y R.* b.y
  def norm a = R.sqrt (dot a a)
}

module v2 = vspace_2d f32
type vec = v2.vector

type bird = {at: vec, speed: vec}

-- What a bird sees: how many others, where they are and fly to, and what pushes it away; all weighted.
type view = {count: f32, middle: vec, speed: vec, away: vec}

module view = {
  def none : view = {count = 0, middle = v2.zero, speed = v2.zero, away = v2.zero}

  def add (a: view) (b: view) : view =
    { count = a.count + b.count
    , middle = a.middle v2.+ b.middle
    , speed = a.speed v2.+ b.speed
    , away = a.away v2.+ b.away }
}

-- How much something within a radius counts.
def weight (radius: f32) (d2: f32) : f32 =
  let k = f32.max 0 (1 - d2 / (radius * radius))
  in k * k

def see (from: bird) (other: bird) : view =
  let between = other.at v2.- from.at
  let d2 = v2.dot between between
  let w = weight 0.15 d2
  in { count = w
     , middle = v2.scale w between
     , speed = v2.scale w (other.speed v2.- from.speed)
     , away = v2.scale (-(weight 0.04 d2)) between }

def limit (most: f32) (v: vec) : vec =
  let n = v2.norm v
  in if n > most then v2.scale (most / n) v else v

def wrap ({x, y}: vec) : vec = {x = x - f32.floor x, y = y - f32.floor y}

def step [n] (dt: f32) (birds: [n]bird) : [n]bird =
  let fly b =
    let seen = reduce_comm view.add view.none (map (see b) birds)
    let over = 1 / f32.max 1 seen.count
    let force =
      v2.(scale (0.5 f32.* over) seen.middle + scale (0.3 f32.* over) seen.speed + scale 2 seen.away)
    let speed = limit 0.5 (v2.(b.speed + force))
    in {at = wrap (v2.(b.at + scale dt speed)), speed}
  in map fly birds

entry main [n] (steps: i32) (xs: [n]f32) (ys: [n]f32) (us: [n]f32) (vs: [n]f32)
           : ([n]f32, [n]f32) =
  let bird x y u v = {at = {x, y}, speed = {x = 0.2 * (u - 0.5), y = 0.2 * (v - 0.5)}}
  let birds = iterate steps (step 0.02) (map4 bird xs ys us vs)
  in unzip (map (\b -> (b.at.x, b.at.y)) birds)
