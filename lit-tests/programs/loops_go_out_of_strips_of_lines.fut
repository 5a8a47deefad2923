-- Loops that carry an array for each point of a map and read it elsewhere than they write it go by strips of
-- points. There are some points more than strips have, and as many as there are in none.

-- Haar's transform, level by level.
def haar [m] (xs: [m]i32) : [m]i32 =
  let (ys, _) =
    loop (ys, size) = (xs, 1)
    while size < m do
      let half = m / 2
      let ys =
        tabulate m (\j ->
          if j < half
          then ys[2 * j] + ys[2 * j + 1]
          else ys[2 * (j - half)] - ys[2 * (j - half) + 1])
      in (ys, 2 * size)
  in ys

-- ==
-- entry: haars
-- input { 3i64 8i64 } output { 3i64 1624i32 }
-- input { 32i64 8i64 } output { 32i64 258448i32 }
-- input { 77i64 16i64 } output { 77i64 12035408i32 }
-- input { 40i64 0i64 } output { 40i64 0i32 }
-- input { 40i64 1i64 } output { 40i64 1642i32 }
-- input { 33i64 9i64 } error: out of bounds
entry haars (n: i64) (m: i64) =
  let xss = tabulate_2d n m (\i j -> i32.i64 (i * i % 7 - j * 3 * i))
  let yss = map haar xss
  in (length yss, i32.sum (flatten (tabulate_2d n m (\i j -> yss[i, j] * i32.i64 (1 + i + 2 * j)))))

-- Of columns, of f64, with what is the same for all lines, a number of each, and a table of places.
-- ==
-- entry: columns
-- input { 21i64 6i64 [5i64, 3, 1, 0, 2, 4] } output { 21i64 174758.71875f64 }
-- input { 48i64 3i64 [2i64, 2, 0] } output { 48i64 792993.0f64 }
-- input { 48i64 3i64 [2i64, 3, 0] } error: Index \[3\] out of bounds
-- input { 48i64 3i64 [2i64, -1, 3] } error: Index \[-1\] out of bounds
entry columns (n: i64) (m: i64) (places: [m]i64) =
  let xss = tabulate_2d m n (\j i -> f64.i64 (i * 5 + j) / 4)
  let go i (xs: [m]f64) =
    let (_, zs) =
      loop (xs, zs) = (xs, replicate m 1)
      for k < 4 do
        let ys = map (\p -> xs[p] * 0.5 + f64.i64 (i + k)) places
        in (ys, map2 (\x p -> x + zs[p]) xs places)
    in zs
  let yss = map2 go (iota n) (transpose xss)
  in (length yss, f64.sum (flatten (tabulate_2d n m (\i j -> yss[i, j] * f64.i64 (1 + i + 2 * j)))))

-- What a point reads before it changes it.
-- ==
-- entry: changed
-- input { 40i64 5i64 } output { 40i64 1218900i32 }
entry changed (n: i64) (m: i64) =
  let go i =
    let counts = map (\k -> i32.i64 (k * 3)) (iota (n + m))
    let seen = counts[i]
    let counts[i % 2] = 100
    let xs = counts[:m]
    in loop xs for k < 3 do tabulate m (\j -> xs[(j * 2 + k) % m] + seen)
  let yss = map go (iota n)
  in (length yss, i32.sum (flatten (tabulate_2d n m (\i j -> yss[i, j] * i32.i64 (1 + i + 2 * j)))))

-- Points each of which fails for itself: the first one's index is reported.
-- ==
-- entry: one_fails
-- input { 50i64 4i64 60i64 } output { 3200i64 }
-- input { 50i64 4i64 43i64 } error: Index \[43\] out of bounds
entry one_fails (n: i64) (m: i64) (most: i64) =
  let table = iota most
  let go (i: i64) =
    loop xs = iota m for k < 2 do
      tabulate m (\j -> if j == 0 then table[i] + k else xs[(j * 3) % m] + xs[j / 2])
  in i64.sum (flatten (map go (iota n)))
