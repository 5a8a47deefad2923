-- Transpositions of what the caches do not hold: copies and maps, of rows of all alignments.
-- ==
-- entry: copied mapped
-- input { 1447i64 1453i64 } output { true }
-- input { 1024i64 2048i64 } output { true }
-- input { 37i64 60001i64 } output { true }
-- input { 60001i64 65i64 } output { true }

def number (i: i64) (j: i64) : i64 = i * 100003 + j

def right [n] [m] (a: [m][n]i64) (f: i64 -> i64) : bool =
  loop ok = true for j < m do loop ok for i < n do ok && a[j, i] == f (number i j)

entry copied (n: i64) (m: i64) : bool =
  right (copy (transpose (tabulate_2d n m number))) id

entry mapped (n: i64) (m: i64) : bool =
  let a = tabulate_2d n m number
  let k = number n m
  in right (map (map (\x -> x ^ k)) (transpose a)) (^ k)
