-- Breadth-first search: the distance of every vertex from the first, -1 where there is no way.
-- The graph is in compressed sparse rows: vertex v has degrees[v] % 8 edges, which come after those
-- of the vertices before it, and whose ends count modulo the number of vertices.
-- ==
-- random input { [100000]u8 [800000]u32 }
-- input { [2u8, 1u8, 8u8, 1u8] [1u32, 2u32, 2u32, 0u32] }
-- output { [0i32, 1i32, 1i32, -1i32] }

def expand [n] [k] [m] (offsets: [n]i64) (degrees: [n]i64) (ends: [m]i64) (frontier: [k]i64) : []i64 =
  let sizes = map (\v -> degrees[v]) frontier
  let upto = scan (+) 0 sizes
  let total = if k == 0 then 0 else last upto
  let starts = map2 (-) upto sizes
  -- What leads from the number of an edge here to its place, for each vertex.
  let shifts = map2 (\v start -> offsets[v] - start) frontier starts
  -- Which vertex of the frontier each edge belongs to: mark the starts, then count.
  let marks = hist (+) 0 total starts (replicate k 1)
  let owners = map (\i -> i - 1) (scan (+) 0 marks)
  in map2 (\e o -> ends[shifts[o] + e]) (iota total) owners

entry main [n] [m] (degrees: [n]u8) (edges: [m]u32) : [n]i32 =
  let degrees = map (\d -> i64.u8 (d % 8)) degrees
  let offsets = map2 (-) (scan (+) 0 degrees) degrees
  let ends = map (\e -> i64.u32 e % n) edges
  let (distances, _, _, _) =
    loop (distances, claims, frontier, depth) =
      (replicate n (-1) with [0] = 0, replicate n (-1), [0], 1)
    while length frontier > 0 do
      let reached = filter (\v -> distances[v] == -1) (expand offsets degrees ends frontier)
      -- A vertex reached twice must stand in the frontier once. Claims of earlier rounds do no harm.
      let claims = scatter claims reached (indices reached)
      let next = map (.1) (filter (\(i, v) -> claims[v] == i) (zip (indices reached) reached))
      in (scatter distances next (map (const depth) next), claims, next, depth + 1)
  in distances
