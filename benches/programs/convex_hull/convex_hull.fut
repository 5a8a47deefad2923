-- The convex hull of points in the plane by a flat quickhull: in each round, all edges of the hull so far find the
-- farthest of the points outside of them, which splits the edge, and points that are inside are dropped. The points
-- lie above a parabola, close to it, so that the hull has many corners.
-- ==
-- random input { 0.0001f64 [2][500000]f64 }
-- input { 1f64 [[0f64, 4f64, 4f64, 0f64, 2f64, 1f64, 2f64], [0f64, 0f64, 4f64, 4f64, 40f64, 1f64, 2f64]] }
-- output { [0i64, 3i64, 4i64, 2i64, 1i64, 6i64, 5i64] }
-- input { 0f64 [[1f64, 1f64, 1f64], [1f64, 2f64, 3f64]] }
-- output { [0i64] }

type point = {x: f64, y: f64}

-- Twice the area of a triangle; positive if `p` lies to the left of the way from `a` to `b`.
def area (a: point) (b: point) (p: point) : f64 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

-- Of two numbered values the greater one; of equals that with the lower number.
def farther (a: (f64, i64)) (b: (f64, i64)) : (f64, i64) =
  if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) then b else a

entry main [n] (height: f64) (points: [2][n]f64) : []i64 =
  let xs = points[0]
  let ys = map2 (\x y -> x * x + height * y) xs points[1]
  let at i : point = {x = xs[i], y = ys[i]}
  let leftmost i j =
    if xs[j] < xs[i] || (xs[j] == xs[i] && (ys[j] < ys[i] || (ys[j] == ys[i] && j < i))) then j else i
  let rightmost i j =
    if xs[j] > xs[i] || (xs[j] == xs[i] && (ys[j] > ys[i] || (ys[j] == ys[i] && j < i))) then j else i
  let west = reduce_comm leftmost 0 (iota n)
  let east = reduce_comm rightmost 0 (iota n)
  -- The hull clockwise: an edge goes from each corner to the next.
  let corners = [west, east]
  let side i =
    if area (at west) (at east) (at i) > 0 then 0
    else if area (at east) (at west) (at i) > 0 then 1 else -1
  let (edges, outside) = unzip (filter (\(e, _) -> e >= 0) (map (\i -> (side i, i)) (iota n)))
  let (corners, _, _) =
    loop (corners, edges, outside) while length outside > 0 do
      let k = length corners
      let corners = corners :> [k]i64
      let distances =
        map2 (\e i -> area (at corners[e]) (at corners[if e + 1 == k then 0 else e + 1]) (at i)) edges outside
      let farthest = map (.1) (reduce_by_index (replicate k (-f64.inf, -1)) farther (-f64.inf, -1) edges
                                               (zip distances outside))
      -- Where each corner goes, and behind it the point that splits its edge.
      let wide = map (\f -> if f >= 0 then 2 else 1) farthest
      let ends = scan (+) 0 wide
      let places = map2 (-) ends wide
      let total = if k == 0 then 0 else last ends
      let behind = map2 (\p f -> if f >= 0 then p + 1 else -1) places farthest
      let next = scatter (scatter (replicate total 0) places corners) behind farthest
      let split e i =
        let (a, f) = (corners[e], farthest[e])
        let b = corners[if e + 1 == k then 0 else e + 1]
        in if area (at a) (at f) (at i) > 0 then places[e]
           else if area (at f) (at b) (at i) > 0 then places[e] + 1 else -1
      let (edges, outside) =
        unzip (filter (\(e, _) -> e >= 0) (zip (map2 split edges outside) outside))
      in (next, edges, outside)
  in if west == east then [west] else corners
