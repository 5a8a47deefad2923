-- Products of matrices of many sizes, element types and layouts, against loops.
-- ==
-- entry: i32_products i64_products i8_products f64_products f32_products
-- input { [0i64, 1i64, 7i64, 64i64] [0i64, 1i64, 5i64, 50i64] [0i64, 1i64, 49i64, 33i64] }
-- output { true }
-- compiled input { [130i64, 24i64] [300i64, 513i64] [97i64, 48i64] }
-- output { true }

-- ==
-- entry: layouts batches factors shortest into_columns used_further
-- input { 37i64 41i64 53i64 }
-- output { true }
-- input { 0i64 41i64 53i64 }
-- output { true }
-- input { 37i64 0i64 53i64 }
-- output { true }
-- input { 37i64 41i64 0i64 }
-- output { true }
-- input { 2i64 3i64 4i64 }
-- output { true }

-- The numbers are small integers, so that all sums are exact in every order.
def number (seed: i64) (i: i64) (j: i64) : i64 = (i * 7 + j * 13 + seed * 5 + i * j) % 11 - 5

def by_loops 't [n][m][p] (plus: t -> t -> t) (times: t -> t -> t) (zero: t)
    (a: [n][m]t) (b: [m][p]t) : *[n][p]t =
  loop c = replicate n (replicate p zero) for i < n do
    loop c for j < p do
      let s = loop s = zero for k < m do plus s (times a[i, k] b[k, j])
      in c with [i, j] = s

def same 't [n][m] (eq: t -> t -> bool) (a: [n][m]t) (b: [n][m]t) : bool =
  loop ok = true for i < n do loop ok for j < m do ok && eq a[i, j] b[i, j]

entry i32_products (ns: []i64) (ms: []i64) (ps: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do loop ok for p in ps do
    let a = tabulate_2d n m (\i j -> i32.i64 (number 1 i j))
    let b = tabulate_2d m p (\i j -> i32.i64 (number 2 i j))
    let c = map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
    in ok && same (==) c (by_loops (+) (*) 0 a b)

entry i64_products (ns: []i64) (ms: []i64) (ps: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do loop ok for p in ps do
    let a = tabulate_2d n m (\i j -> number 1 i j)
    let b = tabulate_2d m p (\i j -> number 2 i j)
    let c = map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose b)) a
    in ok && same (==) c (by_loops (+) (*) 0 a b)

entry i8_products (ns: []i64) (ms: []i64) (ps: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do loop ok for p in ps do
    let a = tabulate_2d n m (\i j -> i8.i64 (number 1 i j))
    let b = tabulate_2d m p (\i j -> i8.i64 (number 2 i j))
    let c = map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
    in ok && same (==) c (by_loops (+) (*) 0 a b)

entry f32_products (ns: []i64) (ms: []i64) (ps: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do loop ok for p in ps do
    let a = tabulate_2d n m (\i j -> f32.i64 (number 1 i j))
    let b = tabulate_2d m p (\i j -> f32.i64 (number 2 i j))
    let c = map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
    in ok && same (==) c (by_loops (+) (*) 0 a b)

entry f64_products (ns: []i64) (ms: []i64) (ps: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do loop ok for p in ps do
    let a = tabulate_2d n m (\i j -> f64.i64 (number 1 i j))
    let b = tabulate_2d m p (\i j -> f64.i64 (number 2 i j))
    let c = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
    in ok && same (==) c (by_loops (+) (*) 0 a b)

def matmul [n][m][p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a

entry layouts (n: i64) (m: i64) (p: i64) : bool =
  let a = tabulate_2d n m (\i j -> i32.i64 (number 1 i j))
  let b = tabulate_2d m p (\i j -> i32.i64 (number 2 i j))
  let c = by_loops (+) (*) 0 a b
  let at = copy (transpose a)
  let bt = copy (transpose b)
  -- Every second column of something wider, and rows in reverse.
  let wide = tabulate_2d n (2 * m) (\i j -> if j % 2 == 0 then i32.i64 (number 1 i (j / 2)) else 99)
  let even = map (\r -> r[::2] :> [m]i32) wide
  let up = tabulate_2d n m (\i j -> i32.i64 (number 1 (n - 1 - i) j))
  in same (==) c (matmul (transpose at) b)
     && same (==) c (matmul a (transpose bt))
     && same (==) c (matmul (transpose at) (transpose bt))
     && same (==) c (matmul even b)
     && same (==) c (matmul (reverse up) b)
     && same (==) (copy (transpose c)) (matmul bt at)

entry batches (n: i64) (m: i64) (p: i64) : bool =
  let as = tabulate_3d 3 n m (\b i j -> i32.i64 (number b i j))
  let bs = tabulate_3d 3 m p (\b i j -> i32.i64 (number (b + 1) i j))
  let cs = map2 (\a b -> map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a) as bs
  let ds = map (\a -> map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose bs[1])) a) as
  in loop ok = true for i < 3 do
       ok && same (==) cs[i] (by_loops (+) (*) 0 as[i] bs[i])
          && same (==) ds[i] (by_loops (+) (*) 0 as[i] bs[1])

entry factors (n: i64) (m: i64) (p: i64) : bool =
  let a = tabulate_2d n m (\i j -> i16.i64 (number 1 i j))
  let b = tabulate_2d m p (\i j -> i8.i64 (number 2 i j))
  let w = tabulate m (\k -> k % 3)
  let c = map (\r -> map (\c -> i64.sum (map3 (\x y w -> (i64.i16 x - w) * (2 * i64.i8 y)) r c w))
                         (transpose b)) a
  let a' = map (map2 (\w x -> i64.i16 x - w) w) a
  let b' = map (map (\y -> 2 * i64.i8 y)) b
  in same (==) c (by_loops (+) (*) 0 a' b')

entry shortest (n: i64) (m: i64) (p: i64) : bool =
  let a = tabulate_2d n m (\i j -> number 1 i j)
  let b = tabulate_2d m p (\i j -> number 2 i j)
  let c = map (\r -> map (\c -> i64.minimum (map2 (-) r c)) (transpose b)) a
  in same (==) c (by_loops i64.min (-) i64.highest a b)

-- The result's columns are what is neighbours.
entry into_columns (n: i64) (m: i64) (p: i64) : bool =
  let a = tabulate_2d n m (\i j -> i32.i64 (number 1 i j))
  let b = tabulate_2d m p (\i j -> i32.i64 (number 2 i j))
  let c = map (\c -> map (\r -> reduce (+) 0 (map2 (*) r c)) a) (transpose b)
  in same (==) (transpose c) (by_loops (+) (*) 0 a b)

-- Something else is done with the elements, and with the factors' rows.
entry used_further (n: i64) (m: i64) (p: i64) : bool =
  let a = tabulate_2d n m (number 1)
  let b = tabulate_2d m p (number 2)
  let c = tabulate_2d n p (number 3)
  let d = map2 (\r x -> map2 (\c x -> 2 * reduce (+) 0 (map2 (*) r c) + x) (transpose b) x) a c
  let e = map3 (\i r x -> map2 (\c x -> i - reduce (+) 0 (map2 (\y z -> i * y * z) r c) + x)
                               (transpose b) x) (iota n) a c
  let ab = by_loops (+) (*) 0 a b
  in loop ok = true for i < n do loop ok for j < p do
       ok && d[i, j] == 2 * ab[i, j] + c[i, j] && e[i, j] == i - i * ab[i, j] + c[i, j]
