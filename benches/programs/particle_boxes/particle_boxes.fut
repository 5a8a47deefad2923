-- Particles in boxes: each feels those of its box and of the boxes next to it, which are listed.
-- The potential of a pair is screened by a Gaussian.
-- ==
-- random input { [216][64][4]f32 [216][64]f32 [216][26]u32 [216]u8 }
-- input { [[[0.5f32, 0.25f32, 0.125f32, 1f32]], [[0.75f32, 0.5f32, 0.5f32, 0.5f32]]]
--         [[1f32], [0.5f32]]
--         [[1u32, 0u32], [0u32, 1u32]] [1u8, 1u8] }
-- output { [[2.4738538f32], [1.6978441f32]] [[-0.21720377f32], [0.43440753f32]]
--          [[-0.32580566f32], [0.6516113f32]] [[0.43440753f32], [-0.86881506f32]] }

type four = {v: f32, x: f32, y: f32, z: f32}

def add (a: four) (b: four) : four = {v = a.v + b.v, x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def zero : four = {v = 0, x = 0, y = 0, z = 0}

def interaction (alpha: f32) (a: four) (b: four) (charge: f32) : four =
  let r2 = a.v + b.v - (a.x * b.x + a.y * b.y + a.z * b.z)
  let u2 = alpha * alpha * r2
  let vij = f32.exp (-u2)
  let fs = 2 * vij
  in { v = charge * vij
     , x = charge * fs * (a.x - b.x)
     , y = charge * fs * (a.y - b.y)
     , z = charge * fs * (a.z - b.z)}

def force [p] (alpha: f32) (a: four) (bs: [p]four) (charges: [p]f32) : four =
  reduce add zero (map2 (interaction alpha a) bs charges)

entry main [b] [p] [m] (particles: [b][p][4]f32) (charges: [b][p]f32) (links: [b][m]u32)
                       (counts: [b]u8)
         : ([b][p]f32, [b][p]f32, [b][p]f32, [b][p]f32) =
  let particles = map (map (\q : four -> {v = q[0], x = q[1], y = q[2], z = q[3]})) particles
  let box i (own: [p]four) (ls: [m]u32) (count: u8) =
    let number = i64.min m (i64.u8 (7 + count % 20))
    let one (a: four) =
      let start = force 0.5 a own charges[i]
      in loop sum = start for k < number do
           let j = i64.u32 ls[k] % b
           in sum `add` force 0.5 a particles[j] charges[j]
    in map one own
  let forces = map4 box (iota b) particles links counts
  in unzip4 (map (\fs -> unzip4 (map (\(f: four) -> (f.v, f.x, f.y, f.z)) fs)) forces)
