-- Straight maps of more than a few points read transposed copies of matrices that they read across, whatever they read in a row or column.
-- ==
-- entry: agree
-- input { 3i64 5i64 } output { true }
-- input { 15i64 16i64 } output { true }
-- input { 16i64 16i64 } output { true }
-- input { 17i64 40i64 } output { true }
-- input { 64i64 33i64 } output { true }
-- input { 0i64 20i64 } output { true }
-- input { 20i64 0i64 } output { true }
def at (i: i64) (j: i64) : i32 = i32.i64 (i * 31 + j * 7)

def made (n: i64) (m: i64) : *[n][m]i32 = tabulate_2d n m at

entry agree (n: i64) (m: i64) : bool =
  let a = made n m
  let turned = map (map (* 2)) (transpose a)
  let square = made n n
  let sym = map2 (map2 (+)) square (transpose square)
  let chosen = tabulate_2d n n (\i j -> if i <= j then square[i, j] else square[j, i])
  let both = tabulate_2d m n (\i j -> a[j, i] - a[n - 1 - j, m - 1 - i])
  let bytes = map (map u8.i32) (transpose a)
  let batch = map (\xss -> map (map (+ 1)) (transpose xss)) [a, map (map (* 3)) a]
  let all f (xss: [][]i32) = and (map2 (\i xs -> and (map2 (\j x -> x == f i j) (indices xs) xs)) (indices xss) xss)
  in all (\i j -> 2 * at j i) turned
     && all (\i j -> at i j + at j i) sym
     && all (\i j -> at (i64.min i j) (i64.max i j)) chosen
     && all (\i j -> at j i - at (n - 1 - j) (m - 1 - i)) both
     && all (\i j -> 3 * at j i + 1) batch[1]
     && all (\i j -> at j i + 1) batch[0]
     && all (\i j -> i32.u8 (u8.i32 (at j i))) (map (map i32.u8) bytes)

-- Indexes out of bounds are told as before; a large matrix of which little is read.
-- ==
-- entry: shifted
-- input { 20i64 30i64 0i64 } output { 1752i32 }
-- input { 20i64 30i64 1i64 } error: Index \[0, 30\] out of bounds
entry shifted (n: i64) (m: i64) (k: i64) : i32 =
  let a = made n m
  let b = tabulate_2d m n (\i j -> a[j, i + k])
  in b[m - 1, n - 1] + i32.sum (map i32.sum (tabulate_2d 16 16 (\i j -> a[j, i]))) % 1000
