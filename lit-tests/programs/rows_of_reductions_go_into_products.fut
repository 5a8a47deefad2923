-- Rows that are made of their own reductions, and products of those: normalised, by several steps,
-- by loops, by checks; used again after the product, returned, or changed.
-- ==
-- entry: shares
-- input { [[1.0, 3.0], [2.0, 2.0]] [[1.0, 2.0], [4.0, 0.5]] } output { [[3.25, 0.875], [2.5, 1.25]] }
-- input { empty([0][2]f64) [[1.0, 2.0], [4.0, 0.5]] } output { empty([0][2]f64) }
-- input { empty([2][0]f64) empty([0][3]f64) } output { [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
-- input { [[1.0, 3.0], [2.0, 2.0]] empty([2][0]f64) } output { empty([2][0]f64) }

-- ==
-- entry: kept
-- input { [[1.0, 3.0], [4.0, 4.0]] [[1.0, 2.0], [4.0, 0.5]] }
-- output { [[0.25, 0.75], [0.5, 0.5]] [[13.0, 3.5], [20.0, 10.0]] [4.0, 8.0] }
-- input { empty([0][2]f64) [[1.0, 2.0], [4.0, 0.5]] }
-- output { empty([0][2]f64) empty([0][2]f64) empty([0]f64) }

-- ==
-- entry: attention_agrees
-- input { 30i64 20i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 130i64 37i64 } output { true }

-- ==
-- entry: layers_agree
-- input { 30i64 20i64 17i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 0i64 3i64 4i64 } output { true }
-- input { 3i64 4i64 0i64 } output { true }
-- input { 65i64 3i64 300i64 } output { true }

-- ==
-- entry: many_at_once
-- input { 3i64 20i64 9i64 } output { true }
-- input { 0i64 2i64 2i64 } output { true }

-- ==
-- entry: changed
-- input { [[1.0, 3.0], [4.0, 4.0]] [[1.0, 2.0], [4.0, 0.5]] }
-- output { [[7.0, 0.75], [7.0, 0.5]] [[3.25, 0.875], [2.5, 1.25]] }
-- input { empty([0][2]f64) [[1.0, 2.0], [4.0, 0.5]] } output { empty([0][2]f64) empty([0][2]f64) }

-- ==
-- entry: recurrences
-- input { [[1.0, 3.0, 2.0], [4.0, 4.0, 0.0]] [[1.0, 2.0], [4.0, 0.5], [2.0, 1.0]] }
-- output { [[22.5, 7.5], [34.0, 14.0]] }
-- input { empty([2][0]f64) empty([0][1]f64) } output { [[0.0], [0.0]] }

-- ==
-- entry: chosen
-- input { [[1i32, 3i32], [4i32, 4i32]] [0i64, 1i64] [[1i32, 2i32], [4i32, 1i32]] }
-- output { [[3i32, -1i32], [20i32, 12i32]] }
-- input { [[1i32, 3i32], [4i32, 4i32]] [1i64, 2i64] [[1i32, 2i32], [4i32, 1i32]] }
-- error: out of bounds

-- ==
-- entry: totals
-- input { [[1.0, 3.0], [2.0, 2.0]] [[1.0, 2.0], [4.0, 0.5]] } output { 7.875 [4.125, 7.875] }
-- input { empty([0][2]f64) [[1.0, 2.0], [4.0, 0.5]] } output { 0.0 empty([0]f64) }

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def times [m] [p] (r: [m]f64) (b: [m][p]f64) : *[p]f64 =
  map (dot r) (transpose b)
def product [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (`times` b) a
def matrix (a: i64) (b: i64) (s: i64) : [a][b]f64 =
  tabulate_2d a b (\i j -> f64.i64 ((i * 7 + j * 3 + s) % 11) / 16 - 0.25)
def close [n] [m] (a: [n][m]f64) (b: [n][m]f64) : bool =
  and (map and (map2 (map2 (\x y -> f64.abs (x - y) < 1e-9)) a b))

def norm [n] (r: [n]f64) : *[n]f64 = let t = f64.sum r in map (/ t) r
entry shares [n] [m] [p] (x: [n][m]f64) (w: [m][p]f64) : [n][p]f64 =
  product (map norm x) w

-- The sum and the row are read after the product, too.
entry kept [n] [m] [p]
           (x: [n][m]f64)
           (w: [m][p]f64) : ([n][m]f64, [n][p]f64, [n]f64) =
  unzip3 (map (\r ->
                 let t = f64.sum r
                 let h = map (/ t) r
                 in (h, map (* t) (times h w), t))
              x)

def softmax [n] (x: [n]f64) : [n]f64 =
  let m = f64.maximum x
  let e = map (\v -> f64.exp (v - m)) x
  let s = f64.sum e
  in map (/ s) e

def attention [n] [d] (q: [n][d]f64) (k: [n][d]f64) (v: [n][d]f64) : [n][d]f64 =
  product (map softmax
               (map (map (/ f64.sqrt (f64.i64 d + 1)))
                    (product q (transpose k))))
          v

def attention_in_steps [n] [d]
                       (q: [n][d]f64)
                       (k: [n][d]f64)
                       (v: [n][d]f64) : [n][d]f64 =
  let scores = opaque (product q (transpose k))
  let weights =
    opaque (map softmax (map (map (/ f64.sqrt (f64.i64 d + 1))) scores))
  in opaque (product weights v)

entry attention_agrees (n: i64) (d: i64) : bool =
  let (q, k, v) = (matrix n d 0, matrix n d 1, matrix n d 2)
  in close (attention q k v) (attention_in_steps q k v)

def layernorm [n] (x: [n]f64) : [n]f64 =
  let mu = f64.sum x / f64.i64 n
  let v = f64.sum (map (\a -> (a - mu) * (a - mu)) x) / f64.i64 n
  in map (\a -> (a - mu) / f64.sqrt (v + 1e-5)) x

-- Two layers, a sum with what went in, and one layer more of that, normalised again.
entry layers_agree (n: i64) (d: i64) (h: i64) : bool =
  let (x, w, v, u) = (matrix n d 0, matrix d h 1, matrix h d 2, matrix d h 3)
  let y = map (map (f64.max 0)) (product (map layernorm x) w)
  let z = map2 (map2 (+)) x (product y v)
  let together = product (map layernorm z) u
  let normed = opaque (map layernorm x)
  let hidden = opaque (map (map (f64.max 0)) (opaque (product normed w)))
  let sum = opaque (map2 (map2 (+)) x (opaque (product hidden v)))
  let last = opaque (map layernorm sum)
  in close together (opaque (product last u))

-- Every one of several.
entry many_at_once (b: i64) (n: i64) (d: i64) : bool =
  let qs = tabulate b (matrix n d)
  let ks = tabulate b (\i -> matrix n d (i + 4))
  let vs = tabulate b (\i -> matrix n d (i + 9))
  let each = tabulate b (\i -> opaque (attention_in_steps qs[i] ks[i] vs[i]))
  in and (map2 close (map3 attention qs ks vs) each)

-- The row is another one after the product.
entry changed [n] [m] [p]
              (x: [n][m]f64)
              (w: [m][p]f64) : ([n][m]f64, [n][p]f64) =
  unzip (map (\r ->
                let h = norm r
                let o = times h w
                in (if m > 0 then h with [0] = 7 else h, o))
             x)

-- A row whose elements need the one before.
entry recurrences [n] [m] [p] (x: [n][m]f64) (w: [m][p]f64) : [n][p]f64 =
  product (map (\r ->
                  loop h = replicate m 0
                  for i < m do
                    h with [i] = r[i] + (if i == 0 then 0 else h[i - 1] / 2))
               x)
          w

-- A row whose making may fail.
entry chosen [n] [m] [p]
             (x: [n][m]i32)
             (at: [n]i64)
             (w: [m][p]i32) : [n][p]i32 =
  map2 (\r i ->
          let t = r[i] - i32.maximum r
          let h = map (+ t) r
          in map (\c -> i32.sum (map2 (*) h c)) (transpose w))
       x
       at

-- The rows of the product are only added up.
entry totals [n] [m] [p] (x: [n][m]f64) (w: [m][p]f64) : (f64, [n]f64) =
  let sums = map f64.sum (product (map norm x) w)
  in (f64.sum sums, scan (+) 0 sums)

-- Rows that loops with checks make go into products.
-- ==
-- entry: by_indexes
-- input { [[1f64, 2f64], [3f64, 4f64], [5f64, 6f64]] [1i64, 0i64] [[1f64, 10f64, 0f64], [2f64, 1f64, 1f64]] }
-- output { [[4f64, 21f64, 1f64], [10f64, 43f64, 3f64], [16f64, 65f64, 5f64]] }
-- input { [[1f64, 2f64], [3f64, 4f64]] [1i64, 2i64] [[1f64], [2f64]] } error: out of bounds
-- input { empty([0][2]f64) [1i64, 2i64] [[1f64], [2f64]] } output { empty([0][1]f64) }

-- ==
-- entry: blocks_agree
-- input { 3i64 40i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 2i64 0i64 } output { true }

-- Each element is that at another index, less what was there before.
def picked [m] (is: [m]i64) (row: [m]f64) : [m]f64 =
  loop picked = replicate m 0 for k < m do
    picked with [k] = row[is[k]] - (if k > 0 then 0 * picked[k - 1] else 0)

entry by_indexes [n] [m] [p] (a: [n][m]f64) (is: [m]i64) (b: [m][p]f64) : [n][p]f64 =
  map (\row -> let row = picked is row in map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a

-- Blocks of rows, each of which waits for the element before.
entry blocks_agree (n: i64) (m: i64) : bool =
  let step last x = (last * 3 + x) % 1000
  let element b i j = (b * 77 + i * 13 + j * 5) % 1000
  let row b i =
    (loop (row, last) = (replicate m 0, 1) for j < m do
       let x = step last (element b i j)
       in (row with [j] = x, x)).0
  let all = tabulate n (\b -> map (row b) (iota 32))
  let expected b i j = loop x = 1 for k < j + 1 do step x (element b i k)
  in and (flatten (map2 (\b -> map2 (\i row -> and (map2 (\j x -> x == expected b i j) (iota m) row)) (iota 32)) (iota n) all))
