-- Copies and maps that read across what they write, of all remainders of tiles.
-- ==
-- entry: copies maps deep
-- input { [0i64, 1i64, 3i64, 31i64, 32i64, 33i64, 70i64] [0i64, 1i64, 5i64, 64i64, 65i64] }
-- output { true }

def number (i: i64) (j: i64) : i32 = i32.i64 (i * 1000 + j)

entry copies (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = tabulate_2d n m number
    let b = copy (transpose a)
    in ok && all id (map2 (\j row -> all id (map2 (\i x -> x == number i j) (iota n) row)) (iota m) b)

entry maps (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = tabulate_2d n m number
    let b = tabulate_2d m n (\j i -> i32.i64 (j - i))
    let (c, d) = unzip (map2 (\x y -> unzip (map2 (\x y -> (x + y, x > y)) x y)) (transpose a) b)
    in loop ok for j < m do loop ok for i < n do
         ok && c[j, i] == number i j + i32.i64 (j - i) && d[j, i] == (number i j > i32.i64 (j - i))

entry deep (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = tabulate_3d n 2 m (\i k j -> number i j + i32.i64 k)
    let b = copy (map transpose (transpose (map transpose a)))
    let c = transpose (map transpose (transpose a))
    in loop ok for i < n do loop ok for j < m do
         ok && b[j, 0, i] == number i j && b[j, 1, i] == number i j + 1
            && c[j, 1, i] == number i j + 1
