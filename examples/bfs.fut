-- Breadth-first search: the distance of every vertex from the first, -1 where there is no way.
-- The graph is in compressed sparse rows: the neighbours of v are edges[offsets[v]:offsets[v+1]].
-- ==
-- input { [0i64, 2i64, 3i64, 5i64, 5i64, 6i64, 6i64] [1i64, 2i64, 3i64, 3i64, 4i64, 0i64] }
-- output { [0i64, 1i64, 1i64, 2i64, 2i64, -1i64] }

def expand [n] [m] (offsets: [n]i64) (edges: [m]i64) (frontier: []i64) : []i64 =
  let degrees = map (\v -> offsets[v + 1] - offsets[v]) frontier
  let ends = scan (+) 0 degrees
  let total = if null ends then 0 else last ends
  -- Which vertex of the frontier each edge belongs to: mark the starts, then count.
  let starts = map2 (-) ends degrees
  let marks = reduce_by_index (replicate total 0) (+) 0 starts (map (const 1i64) frontier)
  let owner = map (\i -> i - 1) (scan (+) 0 marks)
  in map2 (\e o -> edges[offsets[frontier[o]] + e - starts[o]]) (iota total) owner

entry main [k] [m] (offsets: [k]i64) (edges: [m]i64) : []i64 =
  let n = k - 1
  let start = replicate n (-1) with [0] = 0
  let (distances, _, _) =
    loop (distances, frontier, depth) = (start, [0], 1) while length frontier > 0 do
      let reached = filter (\v -> distances[v] == -1) (expand offsets edges frontier)
      -- A vertex reached twice must stand in the frontier once.
      let claims = scatter (replicate n (-1)) reached (indices reached)
      let next = map (.1) (filter (\(i, v) -> claims[v] == i) (zip (indices reached) reached))
      let distances = scatter distances next (map (const depth) next)
      in (distances, next, depth + 1)
  in distances
