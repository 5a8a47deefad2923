-- Products of many small matrices, and rows of a few elements, whose points read what is far apart or a few elements apart.
-- ==
-- entry: products applied transposed_products of_three every_third columns_of_rows bytes truths backwards in_loops
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 5i64 } output { true }
-- input { 64i64 } output { true }
-- input { 131i64 } output { true }

def matrices (k: i64) (n: i64) : [n][k][k]f32 =
  opaque (tabulate n (\i -> tabulate_2d k k (\r c -> f32.i64 ((i * 7 + r * 5 + c * 3) % 11 - 5))))

-- Whether elements are these, which are computed one after the other.
def are [n] (xs: [n]f32) (f: i64 -> f32) : bool =
  loop ok = true for i < n do ok && xs[i] == f i

def product [k] (x: [k][k]f32) (y: [k][k]f32) : [k][k]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose y)) x

entry products (n: i64) : bool =
  let (a, b) = (matrices 4 n, matrices 4 n)
  let at i = let (m, r, c) = (i / 16, i / 4 % 4, i % 4)
             in loop s = 0 for k < 4 do s + a[m, r, k] * b[m, k, c]
  in are (flatten_3d (map2 product a b)) at

entry transposed_products (n: i64) : bool =
  let (a, b) = (matrices 4 n, matrices 4 n)
  let at i = let (m, r, c) = (i / 16, i / 4 % 4, i % 4)
             in loop s = 0 for k < 4 do s + a[m, r, k] * b[m, c, k]
  in are (flatten_3d (map2 (\x y -> product x (transpose y)) a b)) at

entry applied (n: i64) : bool =
  let (a, b) = (matrices 8 n, matrices 8 n)
  let at i = let (m, r) = (i / 8, i % 8)
             in loop s = 0 for k < 8 do s + a[m, r, k] * b[m, 3, k]
  in are (flatten (map2 (\x y -> map (\r -> f32.sum (map2 (*) r y[3])) x) a b)) at

entry of_three (n: i64) : bool =
  let (a, b) = (matrices 3 n, matrices 3 n)
  let at i = let (m, r, c) = (i / 9, i / 3 % 3, i % 3)
             in loop s = 0 for k < 3 do s + a[m, r, k] * b[m, k, c]
  in are (flatten_3d (map2 product a b)) at

-- Loops inside of points, so that these go by lanes.
def round (x: f32) : f32 = loop x for _i < 3 do if x > 0 then x - 2 else x + 3

entry every_third (n: i64) : bool =
  let xs = opaque (tabulate (3 * n + 2) (\i -> f32.i64 (i % 17 - 8)))
  in are (tabulate n (\i -> round xs[3 * i + 2] - round xs[3 * i])) (\i -> round xs[3 * i + 2] - round xs[3 * i])

entry columns_of_rows (n: i64) : bool =
  let rows = opaque (tabulate_2d n 5 (\i j -> f32.i64 ((i * 3 + j * 7) % 13 - 6)))
  let f (r: [5]f32) = round r[4] + round r[0] * round r[2]
  in are (map f rows) (\i -> f rows[i])

entry bytes (n: i64) : bool =
  let rows = opaque (tabulate_2d n 3 (\i j -> u8.i64 (i * 31 + j * 57)))
  let f (r: [3]u8) = round (f32.u8 r[0] * 0.5 + f32.u8 r[1] * 0.25 + f32.u8 r[2] * 0.25)
  in are (map f rows) (\i -> f rows[i])

entry truths (n: i64) : bool =
  let rows = opaque (tabulate_2d n 2 (\i j -> (i + j) % 3 == 0))
  let f (r: [2]bool) = round (if r[1] then 1 else if r[0] then 2 else 3)
  in are (map f rows) (\i -> f rows[i])

entry backwards (n: i64) : bool =
  let xs = opaque (tabulate (2 * n + 1) (\i -> f32.i64 (i % 17 - 8)))
  in are (tabulate n (\i -> round xs[2 * (n - i)])) (\i -> round xs[2 * (n - i)])

-- What is read lies in a slice, whose rows are longer than what is seen of them.
entry in_loops (n: i64) : bool =
  let rows = opaque (tabulate_2d n 4 (\i j -> f32.i64 ((i * 3 + j * 7) % 13 - 6)))[:, 1:]
  let f (r: []f32) = loop s = 0 for k < 6 do round (s + r[k % 3]) + r[2]
  in are (map f rows) (\i -> f rows[i])
