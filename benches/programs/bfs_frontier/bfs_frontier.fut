-- Breadth-first search with a frontier whose edges are expanded: every vertex has eight edges, so that the edges of a
-- frontier are a matrix. The ends of edges are spread over the vertices.
-- ==
-- random input { [60000][8]u32 }
-- input { [[1431655766u32, 1431655766u32, 1431655766u32, 0u32, 0u32, 0u32, 0u32, 0u32], [1431655766u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32], [2863311531u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32]] }
-- output { [0i32, 1i32, -1i32] }

entry main [n] (edges: [n][8]u32) : [n]i32 =
  let ends = map (map (\e -> i32.u64 ((u64.u32 e * u64.i64 n) >> 32))) edges
  let (levels, _, _, _) =
    loop (levels, claims, frontier, depth) = (replicate n (-1) with [0] = 0, replicate n (-1), [0], 1)
    while length frontier > 0 do
      let reached = flatten (map (\v -> ends[v]) frontier)
      let new = filter (\v -> levels[v] < 0) reached
      -- A vertex that is reached twice stands in the frontier once.
      let claims = scatter claims (map i64.i32 new) (indices new)
      let next = map (.1) (filter (\(i, v) -> claims[v] == i) (zip (indices new) new))
      let levels = scatter levels (map i64.i32 next) (map (const depth) next)
      in (levels, claims, next, depth + 1)
  in levels
