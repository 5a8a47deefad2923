-- Histograms whose buckets are rows, of more rows than several tasks are worth and of few, against loops.
-- ==
-- entry: sums others two_dimensions
-- input { 0i64 3i64 2i64 }
-- output { true }
-- input { 9i64 2i64 3i64 }
-- output { true }
-- input { 9i64 0i64 3i64 }
-- output { true }
-- input { 9i64 2i64 0i64 }
-- output { true }
-- compiled input { 60000i64 5i64 70i64 }
-- output { true }

def number (i: i64) (j: i64) : i64 = (i * 7 + j * 13 + i * j) % 11 - 5

-- One in nine is outside.
def bucket (k: i64) (i: i64) : i64 = if i % 9 == 4 then -1 else (i * i + 3) % i64.max 1 (k + 1)

def same [k] [d] (a: [k][d]i64) (b: [k][d]i64) : bool = and (map2 (\x y -> and (map2 (==) x y)) a b)

def by_loops [n] [k] [d] (op: i64 -> i64 -> i64) (dest: *[k][d]i64) (is: [n]i64) (xss: [n][d]i64) : *[k][d]i64 =
  loop dest for i < n do
    if is[i] < 0 || is[i] >= k then dest
    else loop dest for j < d do
      let x = op (copy dest[is[i], j]) xss[i, j]
      in dest with [is[i], j] = x

def rows (n: i64) (d: i64) : [n][d]i64 = tabulate_2d n d number

entry sums (n: i64) (k: i64) (d: i64) : bool =
  let is = map (bucket k) (iota n)
  let h = reduce_by_index (tabulate_2d k d number) (map2 (+)) (replicate d 0) is (rows n d)
  in same h (by_loops (+) (tabulate_2d k d number) is (rows n d))

-- What is put into buckets is made there.
entry others (n: i64) (k: i64) (d: i64) : bool =
  let is = map (bucket k) (iota n)
  let xss = tabulate n (\i -> map (* 3) (map (number i) (iota d)))
  let h = reduce_by_index (tabulate_2d k d number) (map2 i64.max) (replicate d i64.lowest) is xss
  in same h (by_loops i64.max (tabulate_2d k d number) is (map (map (* 3)) (rows n d)))

entry two_dimensions (n: i64) (k: i64) (d: i64) : bool =
  let is = map (\i -> (bucket k i, i % 2)) (iota n)
  let dest = tabulate_3d k 2 d (\a b c -> number a (b + c))
  let h = reduce_by_index_2d (copy dest) (map2 (+)) (replicate d 0) is (rows n d)
  let part b = by_loops (+) (map (\x -> x[b]) dest)
                        (map (\(i, c) -> if c == b then i else -1) is) (rows n d)
  in same (map (\x -> x[0]) h) (part 0) && same (map (\x -> x[1]) h) (part 1)
