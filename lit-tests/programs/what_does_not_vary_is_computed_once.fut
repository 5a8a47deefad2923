-- Calls in loops and maps whose arguments stay the same, with results of sizes that only running them
-- tells. Where the code around them does not run, they do not fail; where it does, they fail as ever.
-- ==
-- entry: products
-- input { 60i64 } output { 950625i64 }
-- input { 1i64 } output { 1i64 }
-- input { 0i64 } error: Range 1\.\.\.0 is invalid\.

-- ==
-- entry: rounds
-- input { 60i64 4i64 } output { 5850i64 }
-- input { 60i64 0i64 } output { 0i64 }
-- input { -3i64 0i64 } output { 0i64 }
-- input { -3i64 -5i64 } output { 0i64 }
-- input { -3i64 1i64 } error: Range 1\.\.\.-3 is invalid\.

-- ==
-- entry: until
-- input { 60i64 4i64 } output { 9750i64 }
-- input { -3i64 0i64 } output { 0i64 }
-- input { -3i64 1i64 } error: Range 1\.\.\.-3 is invalid\.

-- ==
-- entry: points
-- input { 10i64 [1i64, 2i64, 3i64] } output { [32i64, 157i64, 636i64] }
-- input { -3i64 empty([0]i64) } output { empty([0]i64) }
-- input { -3i64 [1i64] } error: Range 1\.\.\.-3 is invalid\.

-- ==
-- entry: read
-- input { [2i64, 0i64, 1i64] [5i64, 6i64, 7i64] 3i64 } output { 108i64 }
-- input { [2i64, 0i64, 9i64] [5i64, 6i64, 7i64] 0i64 } output { 0i64 }
-- input { [2i64, 0i64, 9i64] [5i64, 6i64, 7i64] 1i64 } error: Index \[9\] out of bounds for array of shape \[3\]

-- ==
-- entry: changed
-- input { 4i64 3i64 } output { [1i64, 2i64, 3i64] }

def even_sums (n: i64) : []i64 =
  loop found = [] for k in 1...n do
    if i64.sum (map (\d -> k % d) (1...k)) % 2 == 0 then found ++ [k] else found

entry products (n: i64) : i64 =
  loop acc = 0 for p in even_sums n do
    loop acc for q in even_sums n do acc + p * q

entry rounds (n: i64) (m: i64) : i64 =
  loop acc = 0 for i < m do acc + i64.sum (map (* i) (even_sums n))

entry until (n: i64) (m: i64) : i64 =
  (loop (acc, k) = (0, m) while k > 0 do (acc + i64.sum (map (* k) (even_sums n)), k - 1)).0

entry points [m] (n: i64) (ks: [m]i64) : [m]i64 =
  map (\k -> loop s = 0 for e in even_sums n do s * k + e) ks

-- Arrays of a size that is known.
entry read [n] (at: [n]i64) (xs: [n]i64) (m: i64) : i64 =
  loop acc = 0 for i < m do
    let ys = loop ys = replicate n 0 for j < n do ys with [j] = xs[at[j]]
    in acc + i64.sum (map2 (*) ys (map (+ i) (rotate i (replicate n 1))))

-- Each round has an array of its own to write to.
entry changed (n: i64) (m: i64) : [m]i64 =
  let (out, _) = loop (out, s) = (replicate m 0, 0) for i < m do
    let ys = even_sums n
    let ys' = if length ys > 0 then copy ys with [0] = ys[0] + i else ys
    in (out with [i] = ys'[0], s + ys'[0])
  in out
