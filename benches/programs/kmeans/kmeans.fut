-- Lloyd's algorithm: points are gathered around k centres, the first k points at the start, which
-- then move to the middle of their points.
-- ==
-- random input { 5i32 16i64 [50000][4]f32 }
-- input { 3i32 2i64 [[0f32], [2f32], [10f32], [12f32]] }
-- output { [[1f32], [11f32]] }

def distance2 [d] (a: [d]f32) (b: [d]f32) : f32 =
  f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)

def nearest [k] [d] (centres: [k][d]f32) (p: [d]f32) : i64 =
  let closer (i, di) (j, dj) = if dj < di || (dj == di && j < i) then (j, dj) else (i, di)
  in (reduce closer (k, f32.inf) (zip (iota k) (map (distance2 p) centres))).0

def move [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : [k][d]f32 =
  let owners = map (nearest centres) points
  let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) owners points
  let sizes = hist (+) 0 k owners (replicate n 1i32)
  in map3 (\old sum size -> if size == 0 then old else map (/ f32.i32 size) sum) centres sums sizes

entry main [n] [d] (rounds: i32) (k: i64) (points: [n][d]f32) : [k][d]f32 =
  iterate rounds (move points) (copy (take k points))
