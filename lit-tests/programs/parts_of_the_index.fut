-- Elements at quotients of the index by two and four, and what remainders decide: where interpolation, wavelets and
-- interleaved arrays read. Numbers of points that are no multiple of two or four; indexes that may be negative.
-- ==
-- entry: between
-- input { [1i32, 4i32, 9i32] } output { [1i32, 1i32, 5i32, 4i32, 13i32, 9i32, 9i32] }
-- input { empty([0]i32) } output { [0i32] }

-- ==
-- entry: in_turn
-- input { [1i32, 2i32, 3i32] [4i32, 5i32, 6i32] } output { [1i32, 4i32, 2i32, 5i32, 3i32, 6i32] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: enlarged
-- input { 4i64 [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[1i32, 1i32, 1i32, 1i32, 2i32, 2i32, 2i32, 2i32], [1i32, 1i32, 1i32, 1i32, 2i32, 2i32, 2i32, 2i32],
--           [1i32, 1i32, 1i32, 1i32, 2i32, 2i32, 2i32, 2i32], [1i32, 1i32, 1i32, 1i32, 2i32, 2i32, 2i32, 2i32],
--           [3i32, 3i32, 3i32, 3i32, 4i32, 4i32, 4i32, 4i32], [3i32, 3i32, 3i32, 3i32, 4i32, 4i32, 4i32, 4i32],
--           [3i32, 3i32, 3i32, 3i32, 4i32, 4i32, 4i32, 4i32], [3i32, 3i32, 3i32, 3i32, 4i32, 4i32, 4i32, 4i32]] }
-- input { 0i64 [[1i32, 2i32], [3i32, 4i32]] } output { empty([0][0]i32) }

-- ==
-- entry: agrees
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 3i64 } output { true }
-- input { 16i64 } output { true }
-- input { 127i64 } output { true }

-- ==
-- entry: out_of_bounds
-- input { [1i32, 2i32] 4i64 } output { [1i32, 1i32, 2i32, 2i32] }
-- input { [1i32, 2i32] 5i64 } error: Index \[2\]
-- input { [1i32, 2i32] 6i64 } error: Index \[2\]

entry between [n] (xs: [n]i32) : []i32 =
  tabulate (2 * n + 1) (\j ->
    let (a, b) = ((j - 1) >> 1, j >> 1)
    let x = if a >= 0 then xs[a] else 0
    let y = if b < n then xs[b] else 0
    in if j % 2 == 0 then x + y else i32.max x y)

entry in_turn [n] (xs: [n]i32) (ys: [n]i32) : [n + n]i32 =
  tabulate (n + n) (\i -> if i % 2 == 0 then xs[i / 2] else ys[i / 2])

entry enlarged [n] [m] (times: i64) (xss: [n][m]i32) : [][]i32 =
  if times == 4 then tabulate_2d (n * 4) (m * 4) (\i j -> xss[i / 4, j / 4])
  else tabulate_2d (n * times) (m * times) (\i j -> xss[i / 2, j / 2])

-- As loops compute it.
entry agrees (n: i64) : bool =
  let xs = tabulate n (\i -> (i * 37 + 11) % 101)
  let element i =
    let (a, b) = ((i - 7) >> 2, (i + 3) / 4)
    let x = if a >= 0 then xs[a] else a
    let y = if b < n then xs[b] else b
    in if (i - 1) % 4 < 2 then x * 3 + y else if i & 1 == 1 then x - y else y
  let expected = loop zs = replicate n 0 for i < n do zs with [i] = element i
  in and (map2 (==) (tabulate n element) expected)

entry out_of_bounds (xs: []i32) (n: i64) : []i32 = tabulate n (\i -> xs[i / 2])
