-- Reductions whose points have arrays of their own: what the points come to is stored, and reduced then.
-- ==
-- entry: total
-- input { 0i64 5i64 } output { 0i64 }
-- input { 1i64 1i64 } output { 0i64 }
-- input { 7i64 5i64 } output { 714i64 }
-- input { 100i64 9i64 } output { 517733i64 }
-- input { 133i64 3i64 } output { 9044i64 }

def last (m: i64) (x: i64) : i64 =
  (loop a = replicate m 0 for j < m - 1 do a with [j + 1] = (a[j] * x + j + 1) % 10007)[m - 1]

entry total (n: i64) (m: i64) : i64 = i64.sum (tabulate n (last m))

-- ==
-- entry: both
-- input { 3i64 4i64 } output { [3i64, 6i64, 11i64] 11i64 [2i64, 4i64, 6i64] }
-- input { 40i64 1i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] 0i64 [2i64, 4i64, 6i64, 8i64, 10i64, 12i64, 14i64, 16i64, 18i64, 20i64, 22i64, 24i64, 26i64, 28i64, 30i64, 32i64, 34i64, 36i64, 38i64, 40i64, 42i64, 44i64, 46i64, 48i64, 50i64, 52i64, 54i64, 56i64, 58i64, 60i64, 62i64, 64i64, 66i64, 68i64, 70i64, 72i64, 74i64, 76i64, 78i64, 80i64] }
entry both (n: i64) (m: i64) =
  let (ys, zs) = unzip (tabulate n (\i -> (last m i, 2 * i + 2)))
  in (ys, i64.maximum (map (i64.max 0) ys), zs)

-- An operator that does not commute.
-- ==
-- entry: composed
-- input { 0i64 4i64 } output { 1i64 0i64 }
-- input { 90i64 4i64 } output { 9261i64 5837i64 }
entry composed (n: i64) (m: i64) : (i64, i64) =
  reduce (\(a, b) (c, d) -> (a * c % 10007, (b * c + d) % 10007)) (1, 0) (tabulate n (\i -> (last m i, i)))
