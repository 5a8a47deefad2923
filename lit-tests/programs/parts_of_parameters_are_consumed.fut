-- A function consumes some components of a tuple, and its callers go on using the others.
-- ==
-- entry: tuple
-- input { [1f64, 2, 3] [4f64, 5, 6] [7f64, 8, 9] }
-- output { [10f64, 13, 16] [-4f64, 17, 12] [1f64, 2, 3] }

-- ==
-- entry: nested
-- input { [1i64, 2] [3i64, 4] } output { [3i64, 4] [1i64, 2] [4i64, 6] }

-- ==
-- entry: sum
-- input { true [1i64, 2] [3i64, 4] } output { [7i64, 2] [1i64, 2] }
-- input { false [1i64, 2] [3i64, 4] } output { [3i64, 4] [1i64, 2] }

def forwards [n] (a: [n]f64, b: *[n]f64, y: *[n]f64) : *[n]f64 =
  let (b, y) =
    loop (b, y) for i in 1..<n do
      let b[i] = b[i] - a[i]
      let y[i] = y[i] - b[i] * a[i - 1]
      in (b, y)
  let y[0] = b[n - 1] - y[0]
  in loop y for j in n - 1..n - 2...1 do y with [j] = y[j] + b[j] * b[j - 1]

def together [n] (a: [n]f64, b: [n]f64, y: [n]f64) : [n]f64 =
  map3 (\a b y -> a * 3 + y - b + 4) a b y

entry tuple [n] (a: [n]f64) (b: *[n]f64) (y: *[n]f64) =
  let first = together (a, copy b, copy y)
  let second = forwards (a, b, y)
  in (map (+ 0) first, map (+ 0) second, map (+ 0) a)

type pair [n] = {kept: [n]i64, given: (i64, [n]i64)}

def swap [n] ({kept, given = (k, given)}: {kept: [n]i64, given: *(i64, [n]i64)}) : *[n]i64 =
  loop given for i < n do given with [i] = given[i] + k * kept[i] - kept[i]

entry nested [n] (xs: [n]i64) (ys: *[n]i64) =
  let p = swap {kept = xs, given = (1, copy ys)}
  let q = map2 (+) xs ys
  in (p, map (+ 0) xs, q)

type which [n] = #left [n]i64 | #right

def select [n] (w: which [n], xs: *[n]i64) : *[n]i64 =
  match w
  case #left ys -> loop xs for _i < 4i64 do xs with [0] = xs[0] + ys[0]
  case #right -> xs

entry sum [n] (b: bool) (xs: [n]i64) (ys: *[n]i64) =
  let w : which [n] = if b then #left xs else #right
  let r = select (w, ys)
  in (map2 (\i x -> if b && i == 1 then 2 else x) (iota n) r, xs)
