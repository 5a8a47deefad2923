-- Reductions whose operators work on arrays and are no maps: sizes decide whether several threads reduce chunks.

-- ==
-- entry: matrices
-- input { 0i64 } output { [[1i32, 0i32, 0i32], [0i32, 1i32, 0i32], [0i32, 0i32, 1i32]] }
-- input { 1i64 } output { [[0i32, 5i32, 10i32], [3i32, 8i32, 2i32], [6i32, 0i32, 5i32]] }
-- input { 15i64 } output { [[926957537i32, -272457380i32, -366779890i32], [1178826895i32, -1129906819i32, 139812806i32], [-550739002i32, 587320412i32, 1657213147i32]] }
-- input { 16i64 } output { [[-1552118384i32, 1276915816i32, -1839838651i32], [1338580101i32, 1744123675i32, 1149847219i32], [-656304453i32, -1179661770i32, 1944868286i32]] }
-- input { 17i64 } output { [[1446534992i32, -1775347830i32, -733391085i32], [-878280151i32, -953779177i32, -815863850i32], [-241906060i32, 383889589i32, -350808123i32]] }
-- input { 1000i64 } output { [[-1718886381i32, 651139747i32, -174257151i32], [-1835557679i32, 1774305812i32, 871448531i32], [1626983148i32, -954791126i32, -460224931i32]] }
-- input { 5003i64 } output { [[-2137163037i32, 303347129i32, 1501278049i32], [645368543i32, 237861814i32, -1468895629i32], [-437775965i32, -567670420i32, 1525764780i32]] }

-- ==
-- entry: with_sizes
-- input { 0i64 3i64 } output { 12i32 }
-- input { 700i64 0i64 } output { 0i32 }
-- input { 700i64 5i64 } output { -116220904i32 }
-- input { 40i64 40i64 } output { -927290154i32 }

-- ==
-- entry: permutations
-- input { 3000i64 7i64 -1i64 } output { [6i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
-- input { 3000i64 7i64 2500i64 } error: Index \[7\] out of bounds

-- ==
-- entry: mixed
-- input { 0i64 } output { 0i64 0i64 [-1i64, -1i64, -1i64, -1i64] }
-- input { 20i64 } output { 20i64 90i64 [16i64, 17i64, 18i64, 19i64] }
-- input { 2001i64 } output { 2001i64 9000i64 [1997i64, 1998i64, 1999i64, 2000i64] }

-- ==
-- entry: with_maps
-- input { 0i64 } output { [[1i32, 0i32], [0i32, 1i32]] 0i32 0i32 }
-- input { 2001i64 } output { [[0i32, 0i32], [0i32, 0i32]] 10001i32 10009i32 }

-- ==
-- entry: made
-- input { 3000i64 -1i64 } output { [[-397403725i32, -644255579i32, -1915612418i32], [661146634i32, 1109104443i32, -287996957i32], [-1357339249i32, 1657914338i32, 742238948i32]] }
-- input { 3000i64 2000i64 } error: Index \[2000\] out of bounds for array of shape \[2000\]
-- input { 3000i64 100i64 } error: Index \[100\] out of bounds for array of shape \[100\]

-- ==
-- entry: in_loops
-- input { 4i64 1000i64 } output { [[-685712488i32, 4547659i32, -355166584i32], [690698341i32, 1148594916i32, -1593419085i32], [-1656103510i32, 674088190i32, 309519645i32]] }

-- ==
-- entry: smallest
-- input { 3000i64 } output { [0i64, 7i64, 8i64, 9i64, 17i64, 18i64, 19i64, 26i64] }

-- ==
-- entry: floats
-- input { 2048i64 } output { [[1.0f64, 2047.0f64], [0.0f64, 1.0f64]] }

def product [n] (a: [n][n]i32) (b: [n][n]i32) : [n][n]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a

def one (n: i64) : [n][n]i32 = tabulate_2d n n (\i j -> i32.bool (i == j))

def matrix (k: i64) (i: i64) : [k][k]i32 =
  tabulate_2d k k (\r c -> i32.i64 ((i * 7 + r * 3 + c * 5) % 11))

entry matrices (n: i64) = reduce product (one 3) (opaque (map (matrix 3) (iota n)))

-- The sum of the elements, each by its place.
entry with_sizes (n: i64) (k: i64) =
  let m = opaque (reduce product (one k) (opaque (map (matrix k) (iota n))))
  in i32.sum (map2 (*) (flatten m) (map i32.i64 (iota (k * k))))

-- What is no permutation fails where it is looked up in the next one.
entry permutations (n: i64) (k: i64) (wrong: i64) : [k]i64 =
  let ps = opaque (map (\i -> map (\j -> if i == wrong && j == 0 then k else (j + i) % k) (iota k)) (iota n))
  in reduce (\a b -> map (\i -> b[i]) a) (iota k) ps

-- How many, the sum, and the last four: the operator has several results, of several shapes.
entry mixed (n: i64) =
  let xs = opaque (map (\i -> (1i64, i % 10, [-1, -1, -1, i])) (iota n))
  let op (k, s, a: [4]i64) (l, t, b: [4]i64) =
    let m = i64.min l 4
    in (k + l, s + t, loop c = copy b for j < 4 - m do c with [j] = a[j + m])
  in reduce op (0, 0, [-1, -1, -1, -1]) xs

-- What is mapped beside the reduction is read later.
entry with_maps (n: i64) =
  let ms = map (matrix 2) (iota n)
  let beside = map (\m -> m[0, 1]) ms
  in (reduce product (one 2) ms, i32.sum (opaque beside), i32.sum (map (\m -> m[1, 1]) ms))

-- Elements are made where they are reduced, and may fail.
entry made (n: i64) (wrong: i64) =
  let known = if wrong < 0 then n else wrong
  let table = opaque (iota known)
  in reduce product (one 3) (map (\i -> map (map (+ i32.i64 (table[i] & 2))) (matrix 3 i)) (iota n))

entry in_loops (k: i64) (n: i64) =
  loop m = one 3
  for i < k do
    if i % 2 == 0
    then product m (reduce product m (map (\j -> matrix 3 (i + j)) (iota n)))
    else reduce product (one 3) (map (\j -> matrix 3 (i * j)) (iota (n / 100)))

-- The eight least numbers, in order: merges of what is sorted.
entry smallest (n: i64) =
  let xs = opaque (map (\i -> map (\j -> (i * 7919 + j * 104729) % 10007 + j * 10007) (iota 8)) (iota n))
  let merge (a: [8]i64) (b: [8]i64) : [8]i64 =
    (loop (c, i, j) = (replicate 8 0, 0, 0)
     for k < 8 do
       if a[i] <= b[j]
       then (c with [k] = a[i], i + 1, j)
       else (c with [k] = b[j], i, j + 1)).0
  in reduce merge (replicate 8 i64.highest) xs

-- Whole numbers, of which all sums and products are exact.
entry floats (n: i64) =
  let xs = opaque (map (\i -> [[1, f64.i64 (i % 3)], [0, 1]]) (iota n))
  in reduce (\a b -> map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a) [[1, 0], [0, 1]] xs
