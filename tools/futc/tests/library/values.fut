-- What the test of values needs.
type~ pair = {a: i32, b: []f64}
type~ shape = #point | #circle f64 | #polygon ([]f64) ([]f64) bool | #named pair
type cell = {x: f64, rows: [2]i32}
type colour = #red | #grey u8

entry make_pair (a: i32) (b: []f64) : pair = {a, b}
entry sum_pair (p: pair) : f64 = f64.i32 p.a + f64.sum p.b
entry grow (s: shape) : shape =
  match s
  case #point -> #circle 1
  case #circle r -> #polygon [r, r] [0, 1] true
  case #polygon xs ys flag -> #named {a = i32.bool flag, b = map2 (+) xs ys}
  case #named _ -> #point
entry cells (n: i64) : []cell = tabulate n (\i -> {x = f64.i64 i, rows = [i32.i64 i, 7]})
entry total (cs: []cell) : f64 = f64.sum (map (\c -> c.x + f64.i32 (i32.sum c.rows)) cs)
entry grid (n: i64) (m: i64) : [][]cell =
  tabulate_2d n m (\i j -> {x = f64.i64 (i * m + j), rows = [i32.i64 i, i32.i64 j]})
entry colours (n: i64) : []colour = tabulate n (\i -> if i % 2 == 0 then #red else #grey (u8.i64 i))
entry greys (cs: []colour) : i64 =
  i64.sum (map (\c -> match c case #red -> 0 case #grey g -> i64.u8 g) cs)
entry two (x: i32) (y: f64) : (i32, []f64) = (x + 1, [y, y])
entry nested (x: i32) : ((i32, bool), []i32) = ((x, x > 0), [x])
entry unit (_: i32) : () = ()
entry count (n: i64) : i64 = n
