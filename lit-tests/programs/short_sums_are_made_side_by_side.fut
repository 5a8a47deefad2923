-- Sums of a few computed numbers each, by lanes or one by one: of every length, and of every number of them.
-- ==
-- entry: integers floats least pairs
-- input { [0i64, 1i64, 7i64, 16i64, 31i64, 64i64, 131i64] [0i64, 1i64, 2i64, 5i64, 16i64, 17i64, 40i64] }
-- output { true }

entry integers (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let sums = opaque (map (\i -> i64.sum (map (\j -> (i ^ j) * j) (iota m))) (iota n))
    in loop ok for i < n do ok && sums[i] == (loop s = 0 for j < m do s + (i ^ j) * j)

entry floats (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let sums = opaque (map (\i -> f32.sum (map (\j -> f32.i64 (i * m + j)) (iota m))) (iota n))
    in loop ok for i < n do ok && sums[i] == (loop s = 0 for j < m do s + f32.i64 (i * m + j))

entry least (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let mins = opaque (map (\i -> i32.minimum (map (\j -> i32.i64 ((i * 7 + j * 5) % 11)) (iota m))) (iota n))
    in loop ok for i < n do
         ok && mins[i] == (loop s = i32.highest for j < m do i32.min s (i32.i64 ((i * 7 + j * 5) % 11)))

-- In two dimensions.
entry pairs (ns: []i64) (ms: []i64) : bool =
  loop ok = true for n in ns do loop ok for m in ms do
    let sums = opaque (tabulate_2d 3 n (\k i -> i64.sum (tabulate m (\j -> i * j + k))))
    in loop ok for k < 3 do loop ok for i < n do ok && sums[k, i] == (loop s = 0 for j < m do s + i * j + k)
