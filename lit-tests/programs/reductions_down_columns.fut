-- Reductions along what is not contiguous, by one operator or several, that commute or not.
-- ==
-- entry: sums products affine deep
-- input { [0i64, 1i64, 3i64, 70i64] [0i64, 1i64, 5i64, 511i64, 512i64, 513i64, 1100i64] }
-- output { true }

-- ==
-- entry: extremes
-- input { [0i64, 1i64, 63i64, 64i64, 511i64, 512i64, 513i64, 576i64, 1000i64] }
-- output { true }

-- ==
-- entry: nan_is_no_extreme
-- input { }
-- output { 998f32 1f32 f32.nan }

def number (i: i64) (j: i64) : i64 = (i * 7 + j * 13 + i * j) % 11 - 5

def same [n] (a: [n]i64) (b: [n]i64) : bool = loop ok = true for i < n do ok && a[i] == b[i]

entry sums (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = tabulate_2d n m number
    let want = loop s = replicate m 0 for i < n do map2 (+) s a[i]
    let got = map i64.sum (transpose a)
    in ok && same got want

entry products (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = tabulate_2d n m number
    let x = tabulate n (\i -> i % 5)
    let want = loop s = replicate m 0 for i < n do map2 (\s y -> s + x[i] * y) s a[i]
    let got = map (\c -> i64.sum (map2 (*) c x)) (transpose a)
    in ok && same got want

-- Composition of affine functions is associative, but does not commute.
entry affine (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = tabulate_2d n m number
    let op (p, q) (r, s) = (p * r, q * r + s)
    let (ws, vs) = loop (ws, vs) = (replicate m 1, replicate m 0) for i < n do
      unzip (map3 (\w v x -> op (w, v) (x, i)) ws vs a[i])
    let (xs, ys) = unzip (map (\c -> reduce op (1, 0) (zip c (iota n))) (transpose a))
    in ok && same xs ws && same ys vs

entry deep (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = tabulate_3d 2 n m (\k i j -> number (i + k) j)
    let got = map (\b -> map i64.maximum (transpose b)) a
    let want k = loop s = replicate m i64.lowest for i < n do map2 i64.max s a[k, i]
    in ok && same got[0] (want 0) && same got[1] (want 1)

entry extremes (ns: []i64) : bool =
  loop ok = true for n in ns do
    let xs = tabulate n (\i -> f32.i64 (number i (i / 3)))
    let (hi, lo, sum) =
      loop (hi, lo, sum) = (-f32.inf, f32.inf, 0) for x in xs do
        (f32.max hi x, f32.min lo x, sum + x)
    in ok && f32.maximum xs == hi && f32.minimum xs == lo && f32.sum xs == sum
          && f32.maximum (map f32.abs xs) == f32.max hi (-lo)

entry nan_is_no_extreme =
  let xs = tabulate 1000 (\i -> if i % 3 == 0 then f32.nan else f32.i64 i)
  in (f32.maximum xs, f32.minimum xs, f32.sum xs)
