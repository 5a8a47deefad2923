-- Gravity among bodies in a square by the method of Barnes and Hut. Cells of a quadtree of fixed depth are numbered along a
-- Z-order curve, so that the children of a cell are four neighbours; all levels lie in one array. Each body goes
-- through the tree by itself: cells that are far away count as one body, leaves are gone through body by body.
-- ==
-- entry: main
-- random input { [3][20000]f32 }

-- ==
-- entry: agrees_with_all_pairs
-- input { 300i64 } output { true }

type body = {x: f32, y: f32, mass: f32}

def levels : i64 = 7

-- Puts a zero between the bits of a number.
def spread (x: i64) : i64 =
  let x = (x | (x << 8)) & 0x00FF00FF
  let x = (x | (x << 4)) & 0x0F0F0F0F
  let x = (x | (x << 2)) & 0x33333333
  in (x | (x << 1)) & 0x55555555

def leaf_of (b: body) : i64 =
  let place v = i64.max 0 (i64.min ((1 << levels) - 1) (i64.f32 (v * f32.i64 (1 << levels))))
  in spread (place b.x) | (spread (place b.y) << 1)

-- Where a level begins.
def start (level: i64) : i64 = ((1 << (2 * level)) - 1) / 3

def add (a: body) (b: body) : body = {x = a.x + b.x, y = a.y + b.y, mass = a.mass + b.mass}

-- Sorts by a key of so many bits, which keeps the order of equals.
def sort_by_key [n] 't (bits: i64) (xs: [n](i64, t)) : [n](i64, t) =
  loop xs for b < bits do
    let ones = map (\(k, _) -> (k >> b) & 1) xs
    let zeros_before = scan (+) 0 (map (1 -) ones)
    let zeros = if n == 0 then 0 else zeros_before[n - 1]
    let to = map3 (\i one before -> if one == 0 then before - 1 else zeros + i - before) (iota n) ones zeros_before
    in scatter (copy xs) to xs

def accelerations [n] (nearness: f32) (bodies: [n]body) : [n](f32, f32) =
  let sorted = sort_by_key (2 * levels) (zip (map leaf_of bodies) bodies)
  let (leaves, bodies) = unzip sorted
  let cells = 1 << (2 * levels)
  let counts = reduce_by_index (replicate cells 0) (+) 0 leaves (replicate n 1i64)
  let ends = scan (+) 0 counts
  let weighted (b: body) : body = {x = b.x * b.mass, y = b.y * b.mass, mass = b.mass}
  let nothing : body = {x = 0, y = 0, mass = 0}
  let sums = reduce_by_index (replicate cells nothing) add nothing leaves (map weighted bodies)
  -- Sums of all cells, of each level from those of the next.
  let tree = replicate (start (levels + 1)) nothing
  let tree = scatter tree (map (+ start levels) (iota cells)) sums
  let tree =
    loop tree for up < levels do
      let level = levels - 1 - up
      let here = 1 << (2 * level)
      let child k c = tree[start (level + 1) + 4 * c + k]
      let sum c = (child 0 c `add` child 1 c) `add` (child 2 c `add` child 3 c)
      in scatter tree (map (+ start level) (iota here)) (map sum (iota here))
  let centres =
    map (\(c: body) -> if c.mass == 0 then c else {x = c.x / c.mass, y = c.y / c.mass, mass = c.mass}) tree
  let pull (b: body) (x: f32, y: f32, mass: f32) (ax, ay) =
    let (dx, dy) = (x - b.x, y - b.y)
    let square = dx * dx + dy * dy + 1e-4
    let factor = mass / (square * f32.sqrt square)
    in (ax + factor * dx, ay + factor * dy)
  let acceleration (b: body) =
    let (sum, _, _) =
      loop (sum, level, cell) = ((0, 0), 0, 0) while level >= 0 do
        let c = centres[start level + cell]
        let size = 1 / f32.i64 (1 << level)
        let (dx, dy) = (c.x - b.x, c.y - b.y)
        let far = size * size < nearness * nearness * (dx * dx + dy * dy)
        in if c.mass != 0 && !far && level < levels
           then (sum, level + 1, 4 * cell)
           else
             let sum =
               if c.mass == 0 then sum
               else if far then pull b (c.x, c.y, c.mass) sum
               else loop sum for i in ends[cell] - counts[cell]..<ends[cell] do
                      pull b (bodies[i].x, bodies[i].y, bodies[i].mass) sum
             -- On to the next cell, of this level or of one above; there is none behind the root.
             let (level, cell) = loop (level, cell) while level > 0 && cell & 3 == 3 do (level - 1, cell >> 2)
             in if level == 0 then (sum, -1, 0) else (sum, level, cell + 1)
    in sum
  in map acceleration bodies

def bodies_of [n] (given: [3][n]f32) : [n]body =
  map3 (\x y mass -> {x, y, mass = 0.5 + mass}) given[0] given[1] given[2]

-- The accelerations in the order of the curve.
entry main [n] (given: [3][n]f32) : ([n]f32, [n]f32) =
  unzip (accelerations 0.5 (bodies_of given))

-- If no cell is far enough away, all pairs count.
entry agrees_with_all_pairs (n: i64) : bool =
  let number s i = f32.i64 ((i * 7919 + s * 104729 + i * i * 31) % 1000) / 1000
  let bodies = bodies_of [map (number 1) (iota n), map (number 2) (iota n), map (number 3) (iota n)]
  let total = map2 (\(ax, ay) (b: body) -> (f32.abs ax + f32.abs ay) * b.mass)
  let sorted = map (.1) (sort_by_key (2 * levels) (zip (map leaf_of bodies) bodies))
  let one (b: body) =
    loop (ax, ay) = (0, 0) for c in sorted do
      let (dx, dy) = (c.x - b.x, c.y - b.y)
      let square = dx * dx + dy * dy + 1e-4
      let factor = c.mass / (square * f32.sqrt square)
      in (ax + factor * dx, ay + factor * dy)
  let (a, b) = (total (accelerations 0 bodies) sorted, total (map one sorted) sorted)
  in and (map2 (\a b -> f32.abs (a - b) <= 1e-3 * b) a b)
