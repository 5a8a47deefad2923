-- Scans of many lengths, by every operator that vectors have, against loops; and of rows.
-- ==
-- entry: integers bytes floats rows fused strided
-- input { [0i64, 1i64, 2i64, 15i64, 16i64, 17i64, 63i64, 64i64, 100i64, 1023i64, 1024i64, 1025i64, 3000i64] }
-- output { true }

def by_loop 't [n] (op: t -> t -> t) (ne: t) (xs: [n]t) : [n]t =
  let (_, ys) = loop (acc, ys) = (ne, copy xs) for i < n do
    let acc = op acc xs[i]
    in (acc, ys with [i] = acc)
  in ys

def same 't [n] (eq: t -> t -> bool) (a: [n]t) (b: [n]t) : bool =
  loop ok = true for i < n do ok && eq a[i] b[i]

def number (i: i64) : i64 = (i * i * 7 + i * 13 + 5) % 23 - 9

entry integers (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xs = tabulate n (\i -> i32.i64 (number i))
    let us = tabulate n (\i -> u64.i64 (number i))
    let ls = map i64.i32 xs
    in ok && same (==) (scan (+) 0 xs) (by_loop (+) 0 xs)
       && same (==) (scan (*) 1 xs) (by_loop (*) 1 xs)
       && same (==) (scan i32.min i32.highest xs) (by_loop i32.min i32.highest xs)
       && same (==) (scan i32.max i32.lowest xs) (by_loop i32.max i32.lowest xs)
       && same (==) (scan u64.max 0 us) (by_loop u64.max 0 us)
       && same (==) (scan u64.min u64.highest us) (by_loop u64.min u64.highest us)
       && same (==) (scan (&) (-1) ls) (by_loop (&) (-1) ls)
       && same (==) (scan (|) 0 ls) (by_loop (|) 0 ls)
       && same (==) (scan (^) 0 ls) (by_loop (^) 0 ls)

entry bytes (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xs = tabulate n (\i -> i8.i64 (number i))
    let ss = tabulate n (\i -> u16.i64 (number i))
    let bs = map (> 3) xs
    in ok && same (==) (scan (+) 0 xs) (by_loop (+) 0 xs)
       && same (==) (scan (+) 0 ss) (by_loop (+) 0 ss)
       && same (==) (scan (!=) false bs) (by_loop (!=) false bs)
       && same (==) (scan (||) false bs) (by_loop (||) false bs)

entry floats (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xs = tabulate n (\i -> f32.i64 (number i))
    let ys = tabulate n (\i -> f64.i64 (number i))
    in ok && same (==) (scan (+) 0 xs) (by_loop (+) 0 xs)
       && same (==) (scan f32.max (-f32.inf) xs) (by_loop f32.max (-f32.inf) xs)
       && same (==) (scan f64.min f64.inf ys) (by_loop f64.min f64.inf ys)
       && same (==) (scan (+) 0 ys) (by_loop (+) 0 ys)

entry rows (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xss = tabulate_2d 3 n (\i j -> i32.i64 (number (i + j)))
    let yss = map (scan (+) 0) xss
    in ok && same (==) yss[0] (by_loop (+) 0 xss[0])
          && same (==) yss[1] (by_loop (+) 0 xss[1])
          && same (==) yss[2] (by_loop (+) 0 xss[2])

-- What is scanned is computed on the way, and something else is collected.
entry fused (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xs = tabulate n (\i -> number i)
    let ys = scan (+) 0 (map (\x -> if x > 0 then x * x else -x) xs)
    let (zs, ws) = unzip (scan (\(a, b) (c, d) -> (a + c, i64.max b d)) (0, i64.lowest) (zip xs ys))
    in ok && same (==) ys (by_loop (+) 0 (map (\x -> if x > 0 then x * x else -x) xs))
          && same (==) zs (by_loop (+) 0 xs)
          && same (==) ws (by_loop i64.max i64.lowest ys)

entry strided (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xss = tabulate_2d n 3 (\i j -> number (i + j))
    let yss = transpose (map (scan (+) 0) (transpose xss))
    in ok && same (==) (transpose yss)[1] (by_loop (+) 0 (transpose xss)[1])
