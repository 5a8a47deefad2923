-- | Values of all kinds.
-- This is the module's documentation.

type point = {x: f64, y: f64}
type shape = #circle f64 | #square {side: f64} | #nothing
type state [n] = {count: i64, xs: [n]i32}

def table = [1i32, 2, 3]

-- | Multiplies.
entry scale [n] (a: f32) (xs: [n]f32) : [n]f32 = map (* a) xs

entry same [n] (xs: [n]f32) : [n]f32 = xs
entry both [n] (xs: [n]f32) : ([n]f32, [n]f32) = (xs, xs)
entry rows [n][m] (xs: [n][m]f32) : [m][n]f32 = transpose xs
entry add [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (+) xs ys
entry total [n] (xs: [n]f64) : f64 = f64.sum xs
entry kept [n] (xs: [n]f64) : {mean: f64, all: [n]f64} = {mean = f64.sum xs / f64.i64 n, all = xs}
entry put [n] (xs: *[n]i64) (i: i64) (v: i64) : *[n]i64 = xs with [i] = v
entry at [n] (xs: [n]i64) (i: i64) : i64 = xs[i]
entry constant : []i32 = table
entry constants (n: i64) : ([]i32, []i32, [n]i32) = (copy table, copy table, replicate n 3)
entry divide (a: i32) (b: i32) : i32 = a / b
entry divmod (a: i32) (b: i32) : (i32, i32) = (a / b, a % b)
entry nothing (_x: i32) : () = ()
entry huge (n: i64) : i64 = i64.sum (scatter (replicate n 0) (iota n) (iota n))

entry make (x: f64) (y: f64) : point = {x, y}
entry norm (p: point) : f64 = f64.sqrt (p.x * p.x + p.y * p.y)
entry points (n: i64) : [n]point = tabulate n (\i -> {x = f64.i64 i, y = 1})
entry norms [n] (ps: [n]point) : [n]f64 = map (\p -> p.x + p.y) ps
entry swap [n] (ps: [n](i32, f32)) : [n](f32, i32) = map (\(a, b) -> (b, a)) ps
entry first [n] (p: ([n]i32, (i64, f64))) : (i64, [n]i32) = (p.1.0, p.0)

entry area (s: shape) : f64 =
  match s
  case #circle r -> r * r
  case #square q -> q.side * q.side
  case #nothing -> 0

entry shape_of (x: f64) : shape =
  if x < 0 then #nothing else if x > 10 then #circle x else #square {side = x}

entry shapes (xs: []f64) : []shape = map (\x -> #circle x) xs
entry areas (ss: []shape) : []f64 = map area ss

entry start (n: i64) : state [n] = {count = 0, xs = replicate n 1}

entry step [n] (s: *state [n]) : *state [n] =
  let count = s.count
  let xs = s.xs with [0] = 7
  in {count = count + 1, xs}

entry counted [n] (s: state [n]) : (i64, [n]i32) = (s.count, s.xs)

-- Loops whose bodies have arrays of their own: blocks are counted in tasks.
entry powers [n] (xs: [n]f32) (k: i64) : [n][]f32 =
  map (\x -> scan (*) 1 (replicate k x)) xs

entry pick [n][m] (xs: [n][m]f32) (which: [n]bool) : [n][m]f32 =
  map2 (\row w -> if w then row else map (+ 1) row) xs which

entry loop_of [n] (xs: [n]f32) (k: i64) : [n]f32 =
  loop (ys: [n]f32) = xs for _i < k do if ys[0] > 5 then xs else map (+ 1) ys

-- Names that Python has for itself.
entry from (x': i32) (lambda: bool) : bool = x' > 0 && lambda
entry primed' (_: i32) : i32 = 1
entry report (x: i32) : i32 = x
entry _hidden (x: i32) : i32 = x

type pair 't = {a: t, b: t}
entry pairs (n: i64) : [n](pair f32) = replicate n {a = 1, b = 2}
entry corner (p: pair f32) : f32 = p.a + p.b
