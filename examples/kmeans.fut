-- Lloyd's algorithm: points in the plane are gathered around k centres, which then move to the
-- middle of their points.
-- ==
-- input { 5i32 2i64 [[0f64,0f64],[0f64,1f64],[1f64,0f64],[10f64,10f64],[10f64,11f64],[11f64,10f64],[9f64,9f64]] }
-- output @ data/kmeans.out

def distance2 [d] (a: [d]f64) (b: [d]f64) : f64 =
  f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)

def nearest [k] [d] (centres: [k][d]f64) (p: [d]f64) : i64 =
  let closer (i, di) (j, dj) = if dj < di || (dj == di && j < i) then (j, dj) else (i, di)
  in (reduce closer (k, f64.inf) (zip (iota k) (map (distance2 p) centres))).0

def move [n] [k] [d] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  let owner = map (nearest centres) points
  let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) owner points
  let sizes = hist (+) 0 k owner (replicate n 1i64)
  in map3 (\old sum size -> if size == 0 then old else map (/ f64.i64 size) sum) centres sums sizes

entry main [n] [d] (rounds: i32) (k: i64) (points: [n][d]f64) : [k][d]f64 =
  iterate rounds (move points) (take k points)
