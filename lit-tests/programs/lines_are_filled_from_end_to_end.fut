-- Arrays that loops fill from one end to the other, of what a map has made for them, line by line in both directions; and
-- loops that read what was in the array before.
-- ==
-- entry: solved
-- input { 1i64 1i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 5i64 0i64 } output { true }
-- input { 3i64 70i64 } output { true }
-- input { 70i64 45i64 } output { true }
-- input { 33i64 2000i64 } output { true }

type row = {below: f64, diagonal: f64, above: f64, right: f64}

def solve [n] (rows: [n]row) : [n]f64 =
  let (over, ys, _, _) =
    loop (over, ys, c, y) = (replicate n 7, replicate n 8, 0, 0) for i < n do
      let r = rows[i]
      let pivot = 1 / (r.diagonal - r.below * c)
      let c = r.above * pivot
      let y = (r.right - r.below * y) * pivot
      in (over with [i] = c, ys with [i] = y, c, y)
  let (xs, _) =
    loop (xs, x) = (ys, 0) for j < n do
      let i = n - 1 - j
      let x = xs[i] - over[i] * x
      in (xs with [i] = x, x)
  in xs

def weight [n] (ks: [n]f64) (i: i64) : f64 = 0.5 + 0.25 * ks[i64.max 0 (i64.min (n - 1) i)]

-- Called as it is and with transposed arrays, whose results are transposed again.
def lines [n] [m] (k: [n][m]f64) (right: [n][m]f64) : [n][m]f64 =
  let line ks rs =
    solve (tabulate m (\i -> {below = -(weight ks (i - 1)), diagonal = 4 + weight ks i, above = -(weight ks (i + 1)), right = rs[i]}))
  in map2 line k right

def product [n] [m] (k: [n][m]f64) (x: [n][m]f64) : [n][m]f64 =
  let at xs i = if i < 0 || i >= m then 0 else xs[i]
  in map2 (\ks xs ->
             tabulate m (\i -> (4 + weight ks i) * xs[i] - weight ks (i - 1) * at xs (i - 1) - weight ks (i + 1) * at xs (i + 1)))
          k
          x

def near [n] [m] (a: [n][m]f64) (b: [n][m]f64) : bool =
  and (map2 (\x y -> f64.abs (x - y) < 1e-9) (flatten a) (flatten b))

entry solved (n: i64) (m: i64) : bool =
  let k = tabulate_2d n m (\i j -> f64.i64 ((i * 7 + j * 3) % 11) / 11)
  let b = tabulate_2d n m (\i j -> f64.i64 ((i * 5 + j * j) % 13) - 6)
  let along = lines k b
  let across = transpose (lines (transpose k) (transpose along))
  in near (product k along) b && near (product (transpose k) (transpose across)) (transpose along)

-- Each element of the one before.
-- ==
-- entry: upwards
-- input { [3i64, -1i64, 4i64, 1i64, -5i64] } output { [4i64, 11i64, 37i64, 112i64, 331i64] }
-- input { [2i64] } output { [3i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry upwards [n] (xs: [n]i64) : [n]i64 =
  loop ys = replicate n 100 for i < n do
    ys with [i] = (if i > 0 then ys[i - 1] * 3 else 1) + xs[i]

-- From the end.
-- ==
-- entry: downwards
-- input { [3i64, -1i64, 4i64, 1i64, -5i64] } output { [423i64, 142i64, 47i64, 17i64, 6i64] }
-- input { [2i64] } output { [-1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry downwards [n] (xs: [n]i64) : [n]i64 =
  loop ys = copy xs for k < n do
    let i = n - 1 - k
    in ys with [i] = (if i < n - 1 then ys[i + 1] * 3 else 1) - xs[i]

-- Of the one behind, which has its first value.
-- ==
-- entry: ahead
-- input { [3i64, -1i64, 4i64, 1i64, -5i64] } output { [103i64, 99i64, 104i64, 101i64, -4i64] }
-- input { [2i64] } output { [3i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry ahead [n] (xs: [n]i64) : [n]i64 =
  loop ys = replicate n 100 for i < n do
    ys with [i] = (if i < n - 1 then ys[i + 1] else 1) + xs[i]

-- Of itself.
-- ==
-- entry: own
-- input { [3i64, -1i64, 4i64, 1i64, -5i64] } output { [103i64, 99i64, 104i64, 101i64, 95i64] }
-- input { [2i64] } output { [102i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry own [n] (xs: [n]i64) : [n]i64 =
  loop ys = replicate n 100 for i < n do ys with [i] = ys[i] + xs[i]

-- A round of each line fails that the map would fail first.
-- ==
-- entry: checked
-- input { [[1i64, 2i64], [3i64, 4i64]] 5i64 } output { [2i64, 12i64] }
-- input { [[1i64, 2i64], [3i64, 4i64]] 4i64 } error: Index \[4\] out of bounds

entry checked [n] [m] (xss: [n][m]i64) (size: i64) : [n]i64 =
  let table = replicate size 1i64
  in map (\xs ->
            let ys = map (\x -> x * table[x]) xs
            in loop p = 1 for i < m do p * ys[i])
         xss
