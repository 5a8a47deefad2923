-- Scans whose operators are of several values, and of which not all results are wanted, against loops.
-- ==
-- entry: segments recurrences places three few
-- input { [0i64, 1i64, 2i64, 7i64, 8i64, 9i64, 15i64, 16i64, 17i64, 64i64, 1023i64, 1024i64, 1025i64, 3001i64] }
-- output { true }

def by_loop 't [n] (op: t -> t -> t) (ne: t) (xs: [n]t) : [n]t =
  let (_, ys) = loop (acc, ys) = (ne, copy xs) for i < n do
    let acc = op acc xs[i]
    in (acc, ys with [i] = acc)
  in ys

def same 't [n] (eq: t -> t -> bool) (a: [n]t) (b: [n]t) : bool =
  loop ok = true for i < n do ok && eq a[i] b[i]

def number (i: i64) : i64 = (i * i * 7 + i * 13 + 5) % 23 - 9

def segmented 't (op: t -> t -> t) (f: bool, x: t) (g: bool, y: t) : (bool, t) =
  (f || g, if g then y else op x y)

entry segments (ns: []i64) : bool =
  loop ok = true for n in ns do
    let flags = tabulate n (\i -> number i > 8)
    let xs = tabulate n (\i -> f32.i64 (number i))
    let ys = tabulate n (\i -> i8.i64 (number i))
    let zs = tabulate n (\i -> f64.i64 (number i))
    let scanned op ne vs = map (.1) (scan (segmented op) (false, ne) (zip flags vs))
    in ok && same (==) (scanned (+) 0 xs) (map (.1) (by_loop (segmented (+)) (false, 0) (zip flags xs)))
          && same (==) (map (.1) (scan (segmented (+)) (false, 0) (zip flags ys)))
                       (map (.1) (by_loop (segmented (+)) (false, 0) (zip flags ys)))
          && same (==) (map (.1) (scan (segmented f64.max) (false, f64.lowest) (zip flags zs)))
                       (map (.1) (by_loop (segmented f64.max) (false, f64.lowest) (zip flags zs)))
          && same (==) (map (.0) (scan (segmented (+)) (false, 0) (zip flags xs)))
                       (map (.0) (by_loop (segmented (+)) (false, 0) (zip flags xs)))

-- x ↦ a · x + b, one after the other.
entry recurrences (ns: []i64) : bool =
  let next (a, b) (c, d) : (i32, i32) = (a * c, b * c + d)
  in loop ok = true for n in ns do
       let xs = tabulate n (\i -> (i32.i64 (number i), i32.i64 (number (i + 3))))
       let (_, bs) = unzip (scan next (1, 0) xs)
       let (_, cs) = unzip (by_loop next (1, 0) xs)
       in ok && same (==) bs cs

-- The greatest so far and where it stands.
entry places (ns: []i64) : bool =
  let greater (x: i64, i: i64) (y: i64, j: i64) : (i64, i64) = if y > x then (y, j) else (x, i)
  in loop ok = true for n in ns do
       let xs = tabulate n (\i -> (number i, i))
       in ok && same (\a b -> a.0 == b.0 && a.1 == b.1)
                     (scan greater (i64.lowest, -1) xs) (by_loop greater (i64.lowest, -1) xs)

-- In rows, with something collected on the way.
entry three (ns: []i64) : bool =
  let op (f, x, y) (g, z, w) : (bool, i16, i32) =
    (f || g, if g then z else x + z, if g then w else i32.max y w)
  in loop ok = true for n in ns do
       let row k = tabulate n (\i -> let v = number (i + k) in (v > 7, i16.i64 v, i32.i64 v))
       let same3 (a: (bool, i16, i32)) (b: (bool, i16, i32)) =
         a.0 == b.0 && a.1 == b.1 && a.2 == b.2
       let scanned = map (\k -> scan op (false, 0, i32.lowest) (row k)) (iota 3)
       in ok && same same3 scanned[0] (by_loop op (false, 0, i32.lowest) (row 0))
             && same same3 scanned[1] (by_loop op (false, 0, i32.lowest) (row 1))
             && same same3 scanned[2] (by_loop op (false, 0, i32.lowest) (row 2))

-- Flags alone.
entry few (ns: []i64) : bool =
  let op (f, x) (g, y) : (bool, bool) = (f || g, if g then y else x != y)
  in loop ok = true for n in ns do
       let xs = tabulate n (\i -> (number i > 8, number i > 0))
       in ok && same (==) (map (.1) (scan op (false, false) xs)) (map (.1) (by_loop op (false, false) xs))
