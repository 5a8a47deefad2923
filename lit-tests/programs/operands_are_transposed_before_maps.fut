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

-- Any dimension that neighbouring points go along becomes the innermost one.
-- ==
-- entry: dimensions
-- input { 3i64 17i64 20i64 } output { true }
-- input { 20i64 18i64 16i64 } output { true }
-- input { 16i64 3i64 33i64 } output { true }
-- input { 0i64 17i64 20i64 } output { true }
entry dimensions (n: i64) (m: i64) (k: i64) : bool =
  let a = tabulate_3d n m k (\i j l -> at i j + i32.i64 l)
  let right f (xsss: [][][]i32) =
    and (map2 (\x xss -> and (map2 (\y xs -> and (map2 (\z e -> e == f x y z) (indices xs) xs)) (indices xss) xss)) (indices xsss) xsss)
  in right (\x y z -> at z x + i32.i64 y) (tabulate_3d m k n (\x y z -> a[z, x, y] + 0 * a[z, m - 1 - x, y]))
     && right (\x y z -> at z y + i32.i64 x + 1) (tabulate_3d k m n (\x y z -> a[z, y, x] + 1))
     && right (\x y z -> at x z + i32.i64 (k - 1 - y)) (tabulate_3d n k m (\x y z -> a[x, z, k - 1 - y]))
     && right (\x y z -> at z x + i32.i64 y) (map transpose (transpose (map transpose (transpose (map transpose a)))) |> transpose |> map transpose
                                               |> map (map id) |> \b -> tabulate_3d m k n (\x y z -> a[z, x, y] + 0 * i32.i64 (length b)))

-- Distances between rows of a part of a matrix, which is transposed if it exists.
-- ==
-- entry: distances
-- input { 40i64 20i64 30i64 16i64 } output { 9505i32 }
-- input { 40i64 20i64 30i64 0i64 } output { 0i32 }
-- input { 40i64 20i64 41i64 16i64 } error: out of bounds
-- input { 40i64 20i64 30i64 21i64 } error: out of bounds
-- input { 40i64 20i64 0i64 16i64 } output { 0i32 }
entry distances (n: i64) (m: i64) (k: i64) (d: i64) : i32 =
  let b = (made n m)[0:k, 0:d]
  let all = map (\x -> map (\y -> i32.sum (map2 (\p q -> i32.abs (p - q)) x y) + i32.maximum (map2 (\p q -> if p > q then 0 else 1) x y)) b) b
  in i32.sum (map i32.sum all) % 10000

-- Sums of columns of which what is summed is kept.
-- ==
-- entry: shares
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 7i32]] } output { [[2i32, 2i32], [0i32, 2i32], [1i32, 1i32]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
entry shares [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  let share (xs: [n]i32) =
    let most = i32.maximum xs
    let e = map (\x -> most * 2 - x) xs
    let s = i32.sum e
    in map (\x -> s / i32.max 1 x % 3) e
  in transpose (map share (transpose xss))
