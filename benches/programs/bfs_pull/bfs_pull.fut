-- Breadth-first search by pulling: in every round each vertex without a level asks its eight neighbours for one of the
-- last level. The ends of edges are spread over the vertices.
-- ==
-- random input { [60000][8]u32 }
-- input { [[1431655766u32, 1431655766u32, 1431655766u32, 1431655766u32, 1431655766u32, 1431655766u32, 1431655766u32, 1431655766u32], [1431655766u32, 1431655766u32, 1431655766u32, 0u32, 1431655766u32, 1431655766u32, 1431655766u32, 1431655766u32], [2863311531u32, 2863311531u32, 2863311531u32, 2863311531u32, 2863311531u32, 2863311531u32, 2863311531u32, 2863311531u32]] }
-- output { [0i32, 1i32, -1i32] }

entry main [n] (edges: [n][8]u32) : [n]i32 =
  let neighbours = map (map (\e -> i32.u64 ((u64.u32 e * u64.i64 n) >> 32))) edges
  let (levels, _, _) =
    loop (levels, depth, more) = (replicate n (-1) with [0] = 0, 0, true) while more do
      let pull level row =
        if level >= 0 then level
        else if any (\u -> levels[u] == depth) row then depth + 1
        else -1
      let next = map2 pull levels neighbours
      in (next, depth + 1, any (== depth + 1) next)
  in levels
