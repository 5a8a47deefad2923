-- Graph algorithms.
-- ==
-- entry: bfs
-- input { [0i64,2,4,5,6] [1i64,2,0,3,3,1] 0i64 } output { [0i32,1,1,2] }

-- ==
-- entry: pagerank
-- input { [0i64,2,4,5,6] [1i64,2,0,3,3,1] 20i32 }
-- output { [0.19825304585136477f64, 0.3782424515857482f64, 0.12175754841425174f64, 0.3017469541486353f64] }

-- ==
-- entry: bellman_ford
-- input { 5i64 [0i64,0,1,1,2,3,4] [1i64,2,2,3,3,4,1] [4f32,1,-1,2,5,3,1] 0i64 }
-- output { [0f32, 4, 1, 6, 9] 4 }

-- ==
-- entry: mst
-- input { 5i64 [0i64,0,1,1,2,3,2] [1i64,2,2,3,3,4,4] [4i32,1,2,7,5,3,9] } output { 11i32 [1i64,2,4,5] }

-- ==
-- entry: components
-- input { 6i64 [0i64,1,4] [1i64,2,5] } output { [0i64,0,0,3,4,4] }

-- ==
-- entry: floyd
-- input { [[0f32,3,1e9],[1e9,0,2],[4,1e9,0]] } output { [[0f32,3,5],[6,0,2],[4,7,0]] }

type csr [n][m] = {offs: [n + 1]i64, dst: [m]i64}

def expand [n] (szs: [n]i64) : ?[k].([k]i64, [k]i64) =
  let ends = scan (+) 0 szs
  let total = if n == 0 then 0 else ends[n - 1]
  let starts = map2 (-) ends szs
  let idx = reduce_by_index (replicate total 0) i64.max 0 (map2 (\s z -> if z > 0 then s else -1) starts szs) (iota n)
            |> scan i64.max 0
  in (idx, map2 (\i j -> j - starts[i]) idx (iota total))

def bfs_csr [n][m] (g: csr [n][m]) (src: i64) : [n]i32 =
  let dist = replicate n (-1) with [src] = 0
  in (loop (dist, front, d) = (dist, [src], 0) while !(null front) do
     let degs = map (\v -> g.offs[v + 1] - g.offs[v]) front
     let (is, js) = expand degs
     let cand = map2 (\i j -> g.dst[g.offs[front[i]] + j]) is js
     let new = filter (\v -> dist[v] < 0) cand
     let owner = scatter (replicate n (-1)) new (indices new)
     let front = map2 (\v i -> if owner[v] == i then v else -1) new (indices new) |> filter (>= 0)
     let dist = scatter dist front (map (const (d + 1)) front)
     in (dist, front, d + 1)).0

entry bfs [k][m] (offs: [k]i64) (dst: [m]i64) (src: i64) : []i32 =
  let n = k - 1
  in bfs_csr {offs = offs :> [n + 1]i64, dst} src

entry pagerank [k][m] (offs: [k]i64) (dst: [m]i64) (iters: i32) : []f64 =
  let n = k - 1
  let deg = map (\i -> offs[i + 1] - offs[i]) (iota n)
  let (src, _) = expand deg
  let src = src :> [m]i64
  let d = 0.85
  let step r =
    let dangling = map2 (\x g -> if g == 0 then x else 0) r deg |> f64.sum
    let contrib = map (\s -> r[s] / f64.i64 deg[s]) src
    let sums = hist (+) 0 n dst contrib
    in map (\s -> (1 - d) / f64.i64 n + d * (s + dangling / f64.i64 n)) sums
  in iterate iters step (replicate n (1 / f64.i64 n))

entry bellman_ford [m] (n: i64) (us: [m]i64) (vs: [m]i64) (ws: [m]f32) (s: i64) =
  let dist = replicate n f32.inf with [s] = 0
  let (dist, _, rounds) =
    loop (dist, changed, r) = (dist, true, 0i32) while changed && r <= i32.i64 n do
      let cand = map2 (\u w -> dist[u] + w) us ws
      let new = reduce_by_index (copy dist) f32.min f32.inf vs cand
      in (new, any id (map2 (!=) new dist), r + 1)
  in (dist, rounds)

def pointer_jump [n] (p: *[n]i64) : *[n]i64 =
  let (p, _) = loop (p, go) = (p, true) while go do
    let q = map (\i -> p[p[i]]) (iota n)
    in (q, or (map2 (!=) p q))
  in p

-- Boruvka
entry mst [m] (n: i64) (us: [m]i64) (vs: [m]i64) (ws: [m]i32) : (i32, []i64) =
  let better (w1, e1) (w2, e2) : (i32, i64) = if w1 < w2 || (w1 == w2 && e1 < e2) then (w1, e1) else (w2, e2)
  let ne = (i32.highest, i64.highest)
  let (_, taken, _) =
    loop (comp, taken, go) = (iota n, replicate m false, true) while go do
      let cu = map (\u -> comp[u]) us
      let cv = map (\v -> comp[v]) vs
      let live = map2 (!=) cu cv
      let keyed = zip ws (iota m)
      let f c = map2 (\l c -> if l then c else -1) live c
      let best = reduce_by_index (replicate n ne) better ne (f cu) keyed
      let best = reduce_by_index best better ne (f cv) keyed
      let parent = map2 (\c (_, e) -> if e == i64.highest then c
                                       else if cu[e] == c then cv[e] else cu[e]) (iota n) best
      -- break two-cycles
      let parent = map2 (\c p -> if parent[p] == c && c < p then c else p) (iota n) parent
      let taken = scatter taken (map (\(_, e) -> if e == i64.highest then -1 else e) best) (replicate n true)
      let roots = pointer_jump parent
      let comp = map (\c -> roots[c]) comp
      in (comp, taken, or live)
  let total = map2 (\t w -> if t then w else 0) taken ws |> i32.sum
  in (total, filter (\e -> taken[e]) (iota m))

entry components [m] (n: i64) (us: [m]i64) (vs: [m]i64) : [n]i64 =
  let (lab, _) =
    loop (lab, go) = (iota n, true) while go do
      let lo = map2 (\u v -> i64.min lab[u] lab[v]) us vs
      let new = reduce_by_index (copy lab) i64.min i64.highest (us ++ vs) (lo ++ lo)
      let new = map (\x -> new[x]) new
      in (new, !(and (map2 (==) new lab)))
  in lab

entry floyd [n] (D: *[n][n]f32) =
  loop D for k < n do
    let rowk = copy D[k]
    in map (\r -> let dk = r[k] in map2 (\x y -> f32.min x (dk + y)) r rowk) D
