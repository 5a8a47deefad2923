-- The lengths of the shortest paths between all vertices of a graph, by Floyd and Warshall: paths may also
-- go through vertex k.
-- ==
-- random input { [600][600]f32 }
-- input { [[0f32, 1f32, 8f32], [8f32, 0f32, 1f32], [1f32, 8f32, 0f32]] }
-- output { [[0f32, 1f32, 2f32], [2f32, 0f32, 1f32], [1f32, 2f32, 0f32]] }

def through [n] (d: [n][n]f32) (k: i64) : [n][n]f32 =
  map (\from -> map2 (\x y -> f32.min x (from[k] + y)) from d[k]) d

entry main [n] (lengths: [n][n]f32) : [n][n]f32 =
  loop d = lengths for k < n do through d k
