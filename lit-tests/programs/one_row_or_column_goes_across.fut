-- Copies and maps that go across matrices of one row or column, or of none, whose elements lie as those of
-- the result do.
-- ==
-- entry: copies maps deep bytes
-- input { [0i64, 1i64, 2i64, 33i64, 1000i64] [0i64, 1i64, 2i64, 70i64] } output { true }

def number (i: i64) (j: i64) : i32 = i32.i64 (i * 1000 + j)

entry copies (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = opaque (tabulate_2d n m number)
    let b = opaque (copy (transpose a))
    -- Every other row, which are not neighbours.
    let c = opaque (copy (transpose a[::2]))
    let ok = loop ok for j < m do loop ok for i < n do ok && b[j, i] == number i j
    in loop ok for j < m do loop ok for i < (n + 1) / 2 do ok && c[j, i] == number (2 * i) j

entry bytes (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = opaque (tabulate_2d n m (\i j -> i8.i64 (3 * i + 5 * j)))
    let b = opaque (copy (transpose a))
    in loop ok for j < m do loop ok for i < n do ok && b[j, i] == i8.i64 (3 * i + 5 * j)

entry maps (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = opaque (tabulate_2d n m number)
    let b = opaque (map (map (+ 1)) (transpose a))
    in loop ok for j < m do loop ok for i < n do ok && b[j, i] == number i j + 1

entry deep (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let a = opaque (tabulate_3d n 2 m (\i k j -> number i j + i32.i64 k))
    let b = opaque (copy (map transpose (transpose (map transpose a))))
    let c = opaque (copy (transpose a))
    let d = opaque (copy (map transpose a))
    in loop ok for i < n do loop ok for j < m do loop ok for k < 2 do
         ok && b[j, k, i] == number i j + i32.i64 k && c[k, i, j] == number i j + i32.i64 k
            && d[i, j, k] == number i j + i32.i64 k
