-- Conditionals and loops whose arrays lie in memory differently from branch to branch and round
-- to round.
-- ==
-- entry: chosen
-- input { true [[1, 2], [3, 4]] } output { [[1, 3], [2, 4]] [4, 3] [[1, 3], [2, 9]] }
-- input { false [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] [1, 3] [[1, 2], [3, 9]] }

-- ==
-- entry: turned
-- input { [[1, 2], [3, 4]] 0i32 } output { [[1, 2], [3, 4]] }
-- input { [[1, 2], [3, 4]] 1i32 } output { [[3, 1], [4, 2]] }
-- input { [[1, 2], [3, 4]] 3i32 } output { [[2, 4], [1, 3]] }

-- ==
-- entry: peeled
-- input { [1, 2, 3, 4, 5, 6, 7] 3i32 } output { [4] 4i32 }
-- input { [1, 2, 3, 4, 5, 6, 7] 0i32 } output { [1, 2, 3, 4, 5, 6, 7] 28i32 }

-- ==
-- entry: rows_of_two_kinds
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 2, 3], [6, 5, 4]] [6, 15] }

-- ==
-- entry: every_other
-- input { [0, 1, 2, 3, 4, 5, 6, 7] } output { [0] 3i32 }

-- ==
-- entry: fresh_or_not
-- input { [3, 1] 1i32 } output { [3, 1] [0, 1] }
-- input { [3, 1] 5i32 } output { [5, 5] [0, 5] }

-- ==
-- entry: matched
-- input { [[1, 2], [3, 4]] 0i32 } output { [[1, 2], [3, 4]] }
-- input { [[1, 2], [3, 4]] 1i32 } output { [[1, 3], [2, 4]] }
-- input { [[1, 2], [3, 4]] 2i32 } output { [[3, 4], [1, 2]] }
-- input { [[1, 2], [3, 4]] 7i32 } output { [[2, 2], [2, 2]] }

entry chosen [n] (b: bool) (xss: [n][n]i32) =
  let yss = if b then transpose xss else xss
  let row = if b then reverse xss[1] else xss[:, 0]
  in (yss, row, copy yss with [n - 1, n - 1] = 9)

entry turned [n] (xss: [n][n]i32) (k: i32) : [n][n]i32 =
  loop yss = xss for _i < k do map reverse (transpose yss)

entry peeled (xs: []i32) (k: i32) : ([]i32, i32) =
  let ys = loop ys = xs for _i < k do ys[1:length ys - 1]
  in (ys, i32.sum ys)

entry rows_of_two_kinds [n] [m] (xss: [n][m]i32) : ([n][m]i32, [n]i32) =
  let yss = map (\i -> if i % 2 == 0 then xss[i] else reverse xss[i]) (iota n)
  in (yss, map i32.sum yss)

entry every_other (xs: []i32) : ([]i32, i32) =
  loop (ys, k) = (xs, 0) while length ys > 1 do (ys[::2], k + 1)

entry fresh_or_not [n] (xs: [n]i32) (x: i32) : ([n]i32, [n]i32) =
  let ys = if x > 2 then replicate n x else xs
  in (ys, copy ys with [0] = 0)

entry matched [n] (xss: [n][n]i32) (k: i32) : [n][n]i32 =
  match k
  case 0 -> xss
  case 1 -> transpose xss
  case 2 -> reverse xss
  case _ -> replicate n (replicate n 2)
