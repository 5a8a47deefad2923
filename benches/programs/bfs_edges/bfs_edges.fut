-- Breadth-first search over all edges in every round: an edge from a vertex of the last level to one without a
-- level gives that one the next level, and the search goes on as long as some edge does. The graph has a vertex
-- for every eight edges and one more; the ends of edges are spread over them. The results are the levels, -1 where there is no way.
-- ==
-- random input { [2][300000]u32 }
-- input { [[0u32, 0u32, 1431655766u32, 1431655766u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 2863311531u32], [1431655766u32, 1431655766u32, 0u32, 1431655766u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 1431655766u32]] }
-- output { [0i32, 1i32, -1i32] }

entry main [m] (edges: [2][m]u32) : []i32 =
  let n = m / 8 + 1
  let ends = map (\e -> i32.u64 ((u64.u32 e * u64.i64 n) >> 32))
  let (us, vs) = (ends edges[0], ends edges[1])
  let (levels, _, _) =
    loop (levels, depth, more) = (replicate n (-1) with [0] = 0, 0, true) while more do
      let (places, news) =
        unzip (map2 (\u v -> if levels[u] == depth && levels[v] < 0 then (i64.i32 v, depth + 1) else (-1, 0)) us vs)
      in (scatter levels places news, depth + 1, any (>= 0) places)
  in levels
