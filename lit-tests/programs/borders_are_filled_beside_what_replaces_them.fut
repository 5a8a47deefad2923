-- Of arrays of one value, a slice is replaced: what lies beside it keeps the value, whatever the sizes are.
-- ==
-- entry: row
-- input { 10i64 3i64 4i64 } output { true }
-- input { 10i64 0i64 10i64 } output { true }
-- input { 10i64 0i64 0i64 } output { true }
-- input { 10i64 10i64 0i64 } output { true }
-- input { 0i64 0i64 0i64 } output { true }
-- input { 100000i64 1i64 99998i64 } output { true }
-- input { 3i64 -40000i64 0i64 } output { true }
-- input { 3i64 9000000i64 0i64 } output { true }
-- input { 3i64 9223372036854775807i64 0i64 } output { true }
-- input { 0i64 1i64 0i64 } output { true }
-- input { 10i64 7i64 4i64 } error: Index \[7:11\] out of bounds for array of shape \[10\]
-- input { 10i64 -1i64 4i64 } error: Index \[-1:3\] out of bounds
-- input { 10i64 5i64 -2i64 } error: .

-- ==
-- entry: matrix frame
-- input { 5i64 7i64 1i64 3i64 2i64 4i64 } output { true }
-- input { 5i64 7i64 0i64 5i64 0i64 7i64 } output { true }
-- input { 5i64 7i64 0i64 5i64 3i64 2i64 } output { true }
-- input { 5i64 7i64 2i64 0i64 3i64 0i64 } output { true }
-- input { 1i64 0i64 1i64 0i64 0i64 0i64 } output { true }
-- input { 0i64 9i64 0i64 0i64 0i64 9i64 } output { true }
-- input { 70i64 130i64 1i64 68i64 1i64 128i64 } output { true }
-- input { 300i64 64i64 0i64 300i64 5i64 50i64 } output { true }
-- input { 2i64 80i64 0i64 2i64 -7i64 0i64 } output { true }
-- input { 2i64 80i64 0i64 2i64 700000i64 0i64 } output { true }
-- input { 2i64 80i64 500000i64 0i64 0i64 3i64 } output { true }
-- input { 2i64 200i64 -500000i64 0i64 20i64 110i64 } output { true }
-- input { 2i64 200i64 -500000i64 0i64 -20000i64 0i64 } output { true }
-- input { 5i64 7i64 1i64 5i64 2i64 4i64 } error: out of bounds

-- ==
-- entry: rounds
-- input { 12i64 4i64 } output { true }
-- input { 2i64 9i64 } output { true }
-- input { 400i64 3i64 } output { true }

-- ==
-- entry: short_rows
-- input { 40i64 } output { true }
-- input { 0i64 } output { true }

def inside (x: i64) (first: i64) (size: i64) = x >= first && x < first + size

entry row (n: i64) (a: i64) (k: i64) : bool =
  let v = tabulate k (\i -> i * i + 1)
  let r = (replicate n 7) with [a:a + k] = v
  in and (tabulate n (\i -> r[i] == if inside i a k then (i - a) * (i - a) + 1 else 7))

entry matrix (n: i64) (m: i64) (a: i64) (k: i64) (b: i64) (l: i64) : bool =
  let r = (replicate n (replicate m 7i32)) with [a:a + k, b:b + l] = tabulate_2d k l (\i j -> i32.i64 (i * 100 + j))
  let wanted i j = if inside i a k && inside j b l then i32.i64 ((i - a) * 100 + j - b) else 7
  in and (flatten (tabulate_2d n m (\i j -> r[i, j] == wanted i j)))

-- The value is made before the array that it goes to is filled, and is read again.
entry frame (n: i64) (m: i64) (a: i64) (k: i64) (b: i64) (l: i64) : bool =
  let v = tabulate_2d k l (\i j -> i32.i64 (i * 3 ^ j))
  let sum = i32.sum (flatten v)
  let r = (replicate n (replicate m sum)) with [a:a + k, b:b + l] = map (map (+ 1)) v
  let wanted i j = if inside i a k && inside j b l then v[i - a, j - b] + 1 else sum
  in and (flatten (tabulate_2d n m (\i j -> r[i, j] == wanted i j)))

-- Neighbours of all points, with a border of zeros in each round.
entry rounds (n: i64) (k: i64) : bool =
  let bordered xs = loop xs for _i < k do
    let p = (replicate (n + 2) 0i64) with [1:n + 1] = xs
    in tabulate n (\i -> p[i] - p[i + 1] + p[i + 2])
  let at [n] (xs: [n]i64) i = if i < 0 || i >= n then 0 else xs[i]
  let asked xs = loop xs for _i < k do tabulate n (\i -> at xs (i - 1) - at xs i + at xs (i + 1))
  in and (map2 (==) (bordered (iota n)) (asked (iota n)))

entry short_rows (n: i64) : bool =
  let r = (replicate n [1u8, 2, 3, 4]) with [0:n, 1:3] = replicate n [9, 8]
  let s = (replicate n (replicate 4 5u8)) with [0:n, 1:3] = replicate n [9, 8]
  in and (map2 (\x y -> x[0] == 1 && x[1] == 9 && x[2] == 8 && x[3] == 4 && y[0] == 5 && y[1] == 9 && y[2] == 8 && y[3] == 5) r s)
