-- A maximal independent set of a graph, by Luby's algorithm with fixed priorities: in each round, vertices that come
-- before all of their undecided neighbours are taken, and the neighbours of these are left out. Vertices are joined to
-- those at some distances around a ring, on both sides, so that edges go both ways.
-- ==
-- random input { [100000]u32 [8]u16 }
-- input { [5u32, 3u32, 9u32, 1u32, 7u32, 2u32] [1u16] }
-- output { [false, true, false, true, false, true] }
-- input { [4u32] [3u16] }
-- output { [true] }

-- Whether a vertex comes before another one: the smaller priority first, and of equals the smaller number.
def before (p: u32) (i: i64) (q: u32) (j: i64) : bool = p < q || (p == q && i < j)

-- 0 as long as a vertex is undecided, then 1 if it is taken, 2 if it is not.
entry main [n] [k] (priorities: [n]u32) (distances: [k]u16) : [n]bool =
  let distances = map i64.u16 distances
  let neighbour v e = let d = distances[e / 2] in if e % 2 == 0 then (v + d) % n else (v - d) % n
  let (states, _) =
    loop (states, left) = (replicate n 0i8, n) while left > 0 do
      let is_first v =
        let (ok, _) =
          loop (ok, e) = (true, 0) while ok && e < 2 * k do
            let w = neighbour v e
            in (w == v || states[w] == 2 || before priorities[v] v priorities[w] w, e + 1)
        in ok
      let taken = map2 (\v s -> s == 1 || (s == 0 && is_first v)) (iota n) states
      let is_beside v =
        let (found, _) =
          loop (found, e) = (false, 0) while !found && e < 2 * k do
            let w = neighbour v e
            in (w != v && taken[w], e + 1)
        in found
      let next v s t = if t then 1 else if s == 0 && is_beside v then 2 else s
      let states' = map3 next (iota n) states taken
      in (states', i64.sum (map (\s -> i64.bool (s == 0)) states'))
  in map (== 1) states
