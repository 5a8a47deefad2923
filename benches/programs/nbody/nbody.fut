-- Bodies that attract each other: steps of Euler's method over all pairs, with the closest
-- approach softened.
-- ==
-- random input { 2i32 [2000]f32 [2000]f32 [2000]f32 [2000]f32 }
-- input { 1i32 [0f32] [1f32] [2f32] [3f32] }
-- output { [0f32] [1f32] [2f32] }

type vec = {x: f32, y: f32, z: f32}
type body = {position: vec, velocity: vec, mass: f32}

def add (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def sub (a: vec) (b: vec) : vec = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def scale (k: f32) (a: vec) : vec = {x = k * a.x, y = k * a.y, z = k * a.z}
def norm2 (a: vec) : f32 = a.x * a.x + a.y * a.y + a.z * a.z
def zero : vec = {x = 0, y = 0, z = 0}

def pull (on: body) (by: body) : vec =
  let away = by.position `sub` on.position
  let r2 = norm2 away + 1e-3
  in scale (by.mass / (r2 * f32.sqrt r2)) away

def step [n] (dt: f32) (bodies: [n]body) : [n]body =
  let move b =
    let acceleration = reduce add zero (map (pull b) bodies)
    let velocity = b.velocity `add` scale dt acceleration
    in {position = b.position `add` scale dt velocity, velocity, mass = b.mass}
  in map move bodies

entry main [n] (steps: i32) (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (masses: [n]f32)
         : ([n]f32, [n]f32, [n]f32) =
  let start x y z mass = {position = {x, y, z}, velocity = zero, mass}
  let bodies = iterate steps (step 1e-3) (map4 start xs ys zs masses)
  in unzip3 (map (\b -> (b.position.x, b.position.y, b.position.z)) bodies)
