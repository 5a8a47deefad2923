-- Points that go through their row once for each of some others, against loops: strips of rows, and what is too long or too few for
-- them.
-- ==
-- entry: f32_rows u8_rows f64_columns with_rows
-- input { [0i64, 1i64, 31i64, 32i64] [0i64, 1i64, 4i64] [0i64, 1i64, 5i64] }
-- output { true }
-- compiled input { [33i64, 100i64, 64i64] [3i64, 128i64, 130i64, 600i64] [1i64, 7i64] }
-- output { true }

-- Small integers, so that sums are exact in every order.
def number (seed: i64) (i: i64) (j: i64) : i64 = (i * 7 + j * 13 + seed * 5 + i * j) % 11

def every (f: i64 -> i64 -> i64 -> bool) (ns: []i64) (ds: []i64) (ks: []i64) : bool =
  loop ok = true for n in ns do loop ok for d in ds do loop ok for k in ks do ok && f n d k

-- The number of the nearest and its distance.
def nearest 't [k] [d] (distance: t -> t -> f32) (cs: [k][d]t) (p: [d]t) : (i64, f32) =
  let closer (i, x) (j, y) = if y < x || (y == x && j < i) then (j, y) else (i, x)
  in reduce closer (k, f32.inf) (zip (iota k) (map (\c -> f32.sum (map2 distance p c)) cs))

def by_loops 't [n] [k] [d] (distance: t -> t -> f32) (cs: [k][d]t) (ps: [n][d]t) : ([n]i64, [n]f32) =
  loop (is, xs) = (replicate n k, replicate n f32.inf) for i < n do
    loop (is, xs) for c < k do
      let x = loop x = 0 for j < d do x + distance ps[i, j] cs[c, j]
      in if x < xs[i] then (is with [i] = c, xs with [i] = x) else (is, xs)

def same [n] ((is, xs): ([n]i64, [n]f32)) ((js, ys): ([n]i64, [n]f32)) : bool =
  and (map2 (==) is js) && and (map2 (==) xs ys)

entry f32_rows = every (\n d k ->
  let distance x y = (x - y) * (x - y)
  let ps = tabulate_2d n d (\i j -> f32.i64 (number 1 i j))
  let cs = tabulate_2d k d (\i j -> f32.i64 (number 2 i j))
  in same (unzip (map (nearest distance cs) ps)) (by_loops distance cs ps))

entry u8_rows = every (\n d k ->
  let distance x y = f32.u8 (x ^ y)
  let ps = tabulate_2d n d (\i j -> u8.i64 (number 1 i j))
  let cs = tabulate_2d k d (\i j -> u8.i64 (number 2 i j))
  in same (unzip (map (nearest distance cs) ps)) (by_loops distance cs ps))

entry f64_columns = every (\n d k ->
  let distance x y = f32.f64 (f64.abs (x - y))
  let ps = tabulate_2d d n (\i j -> f64.i64 (number 1 j i))
  let cs = tabulate_2d k d (\i j -> f64.i64 (number 2 i j))
  in same (unzip (map (nearest distance cs) (transpose ps))) (by_loops distance cs (transpose ps)))

-- Something else of the point is read besides, and its row once more.
entry with_rows = every (\n d k ->
  let ps = tabulate_2d n d (number 1)
  let cs = tabulate_2d k d (number 2)
  let ws = tabulate n (\i -> i % 3)
  let most = map2 (\p w -> w * i64.maximum (map (\c -> i64.sum (map2 (\x y -> w * x - y) p c)) cs) + i64.sum p) ps ws
  let loops = loop ys = replicate n 0 for i < n do
    let most = loop m = i64.lowest for c < k do
      i64.max m (loop s = 0 for j < d do s + ws[i] * ps[i, j] - cs[c, j])
    let sum = loop s = 0 for j < d do s + ps[i, j]
    in ys with [i] = ws[i] * most + sum
  in and (map2 (==) most loops))
