-- Nearest neighbours by a k-d tree: points in space are sorted into a complete binary tree, and for many
-- queries the tree is walked with a stack of what is still to be seen. The number of points is a power of
-- two; the points themselves are its leaves.
-- ==
-- random input { [4096][3]f32 [100000][3]f32 }
-- input { [[0.5f32, 0.25f32, 0.75f32], [0.125f32, 0.5f32, 1f32], [1f32, 0f32, 0f32], [0.25f32, 0.25f32, 0.25f32]]
--         [[0.5f32, 0.5f32, 0.5f32], [1f32, 0.25f32, 0f32]] }
-- output { [0.35355338f32, 0.25f32] }

type point = {x: f32, y: f32, z: f32}

module point = {
  def from (p: [3]f32) : point = {x = p[0], y = p[1], z = p[2]}

  def coordinate (axis: i32) (p: point) : f32 =
    match axis
    case 0 -> p.x
    case 1 -> p.y
    case _ -> p.z

  def distance2 (p: point) (q: point) : f32 =
    let (dx, dy, dz) = (p.x - q.x, p.y - q.y, p.z - q.z)
    in dx * dx + dy * dy + dz * dz
}

def levels (n: i64) : i64 = 63 - i64.i32 (i64.clz n)

def axis_of (level: i64) : i32 = i32.i64 (level % 3)

-- Merges neighbouring sorted runs, of which each has `size` elements: where each element goes is its place in
-- its own run and how many of the other run come before it.
def merge [n] 't (before: t -> t -> bool) (size: i64) (xs: [n]t) : [n]t =
  let place i =
    let run = i / size
    let other = (run ^ 1) * size
    let first = run % 2 == 0
    -- Ties are the first run's.
    let precedes x = if first then before x xs[i] else !(before xs[i] x)
    let (low, _) =
      loop (low, high) = (0, size) while low < high do
        let middle = (low + high) / 2
        in if precedes xs[other + middle] then (middle + 1, high) else (low, middle)
    in (run / 2) * 2 * size + i % size + low
  in scatter (copy xs) (tabulate n place) xs

-- Sorts each block of so many elements.
def sort_blocks [n] 't (before: t -> t -> bool) (block: i64) (xs: [n]t) : [n]t =
  let (xs, _) = loop (xs, size) = (xs, 1) while size < block do (merge before size xs, 2 * size)
  in xs

type tree [n] = {splits: [n]f32, leaves: [n]point}

-- The node i has the children 2 i and 2 i + 1; the root is 1.
def build [n] (points: [n]point) : tree [n] =
  let (splits, leaves) =
    loop (splits, points) = (replicate n 0, points) for level < levels n do
      let block = n >> level
      let key = point.coordinate (axis_of level)
      let points = sort_blocks (\p q -> key p < key q) block points
      let nodes = 1 << level
      let split k = key points[k * block + block / 2]
      in (scatter splits (map (+ nodes) (iota nodes)) (tabulate nodes split), points)
  in {splits, leaves}

def stack_size : i64 = 32

type task = {node: i64, level: i64, least: f32}

-- The square of the distance to the nearest point.
def nearest [n] (t: tree [n]) (q: point) : f32 =
  let root: task = {node = 1, level = 0, least = 0}
  let start = replicate stack_size root
  let (best, _, _) =
    loop (best, stack, top) = (f32.inf, start, 1) while top > 0 do
      let {node, level, least} = stack[top - 1]
      in if least >= best
         then (best, stack, top - 1)
         else if node >= n
         then (f32.min best (point.distance2 q t.leaves[node - n]), stack, top - 1)
         else
           let away = point.coordinate (axis_of level) q - t.splits[node]
           let (near, far) = if away < 0 then (2 * node, 2 * node + 1) else (2 * node + 1, 2 * node)
           let later = {node = far, level = level + 1, least = f32.max least (away * away)}
           let sooner = {node = near, level = level + 1, least}
           in (best, stack with [top - 1] = later with [top] = sooner, top + 1)
  in best

entry main [n] [m] (points: [n][3]f32) (queries: [m][3]f32) : [m]f32 =
  let t = build (map point.from points)
  in map (point.from >-> nearest t >-> f32.sqrt) queries
