-- Breadth-first search over all edges in every round, into a copy of the levels; the search goes on as long as the number
-- of vertices with a level grows. The graph is that of bfs_edges.
-- ==
-- random input { [2][300000]u32 }
-- input { [[0u32, 0u32, 1431655766u32, 1431655766u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 2863311531u32], [1431655766u32, 1431655766u32, 0u32, 1431655766u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 1431655766u32]] }
-- output { [0i32, 1i32, -1i32] }

entry main [m] (edges: [2][m]u32) : []i32 =
  let n = m / 8 + 1
  let ends = map (\e -> i32.u64 ((u64.u32 e * u64.i64 n) >> 32))
  let (us, vs) = (ends edges[0], ends edges[1])
  let reached levels = i64.sum (map (\l -> i64.bool (l >= 0)) levels)
  let (levels, _, _, _) =
    loop (levels, depth, before, now) = (replicate n (-1) with [0] = 0, 0, 0, 1) while now > before do
      let (places, news) =
        unzip (map2 (\u v -> if levels[u] == depth && levels[v] < 0 then (i64.i32 v, depth + 1) else (-1, 0)) us vs)
      let levels = scatter (copy levels) places news
      in (levels, depth + 1, now, reached levels)
  in levels
