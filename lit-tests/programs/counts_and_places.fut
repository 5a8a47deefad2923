-- Reductions to indexes and counts, of many lengths, against loops.
-- ==
-- entry: first last neutral counts sums
-- input { [0i64, 1i64, 2i64, 31i64, 511i64, 1023i64, 1024i64, 1025i64, 2500i64] }
-- output { true }

def number (i: i64) : i64 = (i * i * 7 + i * 13 + 5) % 1009

entry first (ns: []i64) : bool =
  let op (x: i32, i: i64) (y, j) = if y > x || (y == x && j < i) then (y, j) else (x, i)
  in loop ok = true for n in ns do
       let xs = tabulate n (\i -> i32.i64 (number i))
       let (v, p) = reduce op (i32.lowest, n) (zip xs (iota n))
       let (w, q) = loop (w, q) = (i32.lowest, n) for i < n do
         if xs[i] > w then (xs[i], i) else (w, q)
       in ok && v == w && p == q

entry last (ns: []i64) : bool =
  let op (x: f64, i: i64) (y, j) = if y < x || (y == x && j >= i) then (y, j) else (x, i)
  in loop ok = true for n in ns do
       let xs = tabulate n (\i -> f64.i64 (number i))
       let (v, p) = reduce op (f64.inf, -1) (zip xs (iota n))
       let (w, q) = loop (w, q) = (f64.inf, -1) for i < n do
         if xs[i] <= w then (xs[i], i) else (w, q)
       in ok && v == w && p == q

-- Neutral elements that have no 32 bits, and places that are asked for by their least.
entry neutral (ns: []i64) : bool =
  loop ok = true for n in ns do
    let found = tabulate n (\i -> number i > 900)
    let place far = reduce (\(f, i) (g, j) : (bool, i64) ->
                              if f && g then (true, i64.min i j) else if g then (g, j) else (f, i))
                           (false, far) (zip found (iota n))
    let by_loop far = loop p = far for i < n do if p == far && found[i] then i else p
    in ok && (place i64.highest).1 == by_loop i64.highest
          && (place (4294967296 + n)).1 == by_loop (4294967296 + n)
          && (place (-1)).1 == by_loop (-1)

entry counts (ns: []i64) : bool =
  loop ok = true for n in ns do
    let bs = tabulate n (\i -> number i > 500)
    let c = i64.sum (map i64.bool bs)
    let d = reduce (+) 0 (map (\b -> if b then 2 else 1) bs)
    let e = loop e = 0 for i < n do if bs[i] then e + 1 else e
    in ok && c == e && d == e + n

entry sums (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xs = tabulate n (\i -> u8.i64 (number i % 256))
    let ys = tabulate n (\i -> u16.i64 (number i * 60))
    let s = i64.sum (map i64.u8 xs)
    let t = u64.sum (map u64.u16 ys)
    let (u, v) = loop (u, v) = (0, 0) for i < n do (u + i64.u8 xs[i], v + u64.u16 ys[i])
    in ok && s == u && t == v
