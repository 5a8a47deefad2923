-- Loops that copy their parameter in each round, and what must not see the change of another round.
-- ==
-- entry: shifted
-- input { [1i64, 2i64, 3i64] }
-- output { [1i64, 1i64, 1i64] [1i64, 2i64, 3i64] }
entry shifted [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  let ys = loop a = xs for i in 1..<n do
    let b = copy a
    in b with [i] = a[i - 1]
  in (ys, xs)

-- ==
-- entry: kept
-- input { [1i64, 2i64, 3i64] }
-- output { [7i64, 2i64, 3i64] [1i64, 2i64, 3i64] }
entry kept [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  let (ys, zs) = loop (a, b) = (xs, xs) for _i < 2 do
    ((copy a) with [0] = 7, b)
  in (ys, zs)

-- ==
-- entry: history
-- input { [1i64, 2i64, 3i64] }
-- output { [[1i64, 2i64, 3i64], [10i64, 2i64, 3i64], [10i64, 11i64, 3i64]] }
entry history [n] (xs: [n]i64) : [n][n]i64 =
  let (_, all) = loop (a, all) = (xs, replicate n (replicate n 0)) for i < n do
    ((copy a) with [i] = i + 10, (copy all) with [i] = a)
  in all

-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64]] }
-- output { [[0i64, 1i64], [0i64, 3i64]] [[1i64, 2i64], [3i64, 4i64]] }
entry rows [n] [m] (xss: [n][m]i64) : ([n][m]i64, [n][m]i64) =
  (map (\xs -> loop a = xs for i < m do
    let last = if i == 0 then 0 else xs[i - 1]
    in (copy a) with [i] = last) xss,
   xss)

-- ==
-- entry: grown
-- input { [5i64] }
-- output { [0i64, 1i64, 2i64, 9i64] }
entry grown [n] (xs: [n]i64) : []i64 =
  loop a = xs for i < 3 do
    let k = length a
    let b = a ++ [9]
    in (copy b) with [k - 1] = i

-- ==
-- entry: before
-- input { [1i64, 2i64, 3i64] }
-- output { [7i64, 7i64, 7i64] [7i64, 7i64, 3i64] }
entry before [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  loop (a, b) = (xs, copy xs) for i < n do ((copy a) with [i] = 7, a)
