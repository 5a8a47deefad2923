-- Maps that read across go along what they read, if what they ask depends on where in the column a point is: their
-- results are transposed, whoever reads them, and what fails first is what failed first.
-- ==
-- entry: stencil
-- input { 0i64 5i64 } output { 487649872i32 }
-- input { 5i64 0i64 } output { 487649872i32 }
-- input { 1i64 1i64 } output { 815i32 }
-- input { 2i64 1i64 } output { 1809i32 }
-- input { 1i64 2i64 } output { -32454i32 }
-- input { 3i64 9i64 } output { -1298064612i32 }
-- input { 9i64 3i64 } output { -1445637039i32 }
-- input { 16i64 17i64 } output { 1615285282i32 }
-- input { 33i64 31i64 } output { -462256392i32 }
-- input { 64i64 40i64 } output { -186094937i32 }
-- input { 5i64 200i64 } output { -1393514154i32 }
-- input { 200i64 5i64 } output { -808417286i32 }

-- ==
-- entry: again
-- input { 1i64 1i64 } output { 532i32 }
-- input { 2i64 1i64 } output { 11134i32 }
-- input { 1i64 2i64 } output { 11134i32 }
-- input { 3i64 9i64 } output { 1931486063i32 }
-- input { 9i64 3i64 } output { 1968528513i32 }
-- input { 16i64 17i64 } output { -930700582i32 }
-- input { 33i64 31i64 } output { -1928385250i32 }
-- input { 64i64 40i64 } output { -911924565i32 }
-- input { 5i64 200i64 } output { 1872433801i32 }
-- input { 200i64 5i64 } output { -172439634i32 }

-- ==
-- entry: checked
-- input { 0i64 5i64 1i64 } output { 17i32 }
-- input { 5i64 0i64 1i64 } output { 17i32 }
-- input { 4i64 9i64 1i64 } output { 1079251160i32 }
-- input { 20i64 9i64 0i64 } output { 1479165571i32 }
-- input { 20i64 9i64 16i64 } error: Index \[20, 0\] out of bounds for array of shape \[20\]\[9\]
-- input { 20i64 9i64 -5i64 } error: Index \[-1, 0\] out of bounds for array of shape \[20\]\[9\]
-- input { 3i64 0i64 9i64 } output { 17i32 }

-- ==
-- entry: either
-- input { 20i64 9i64 -1i64 -1i64 } output { -92554863i32 }
-- input { 20i64 9i64 0i64 3i64 } error: Index \[0, 11\] out of bounds for array of shape \[20\]\[9\]
-- input { 20i64 9i64 3i64 0i64 } error: Index \[21, 0\] out of bounds for array of shape \[20\]\[9\]
-- input { 20i64 9i64 4i64 4i64 } error: Index \[21, 0\] out of bounds for array of shape \[20\]\[9\]
-- input { 20i64 9i64 -1i64 19i64 } error: Index \[21, 0\] out of bounds for array of shape \[20\]\[9\]
-- input { 20i64 9i64 8i64 -1i64 } error: Index \[0, 11\] out of bounds for array of shape \[20\]\[9\]

def digest [n] (xs: [n]i32) : i32 = loop h = 17 for x in xs do h * 31 + x

def matrix (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729 + i * j * 31) % 1009) - 300)

-- Differences down columns, with something else at the rims.
def down [n] [m] (xss: [n][m]i32) : [m][n]i32 =
  tabulate_2d m n (\i j ->
    let before = if j == 0 then 7 else xss[j - 1, i]
    let after = if j + 2 >= n then -1 else xss[j + 2, i]
    in before * 3 - after + xss[j, i])

-- Its result is read across, along, and as a whole.
entry stencil (n: i64) (m: i64) : i32 =
  let yss = down (matrix n m)
  let a = map (\ys -> loop s = 1 for y in ys do s * 5 + y) (transpose yss)
  let b = map (\ys -> loop s = 1 for y in ys do s * 3 - y) yss
  in digest a ^ digest b ^ digest (flatten yss)

-- Again and again, and a place changed in it.
entry again (n: i64) (m: i64) : i32 =
  let f xss = let yss = copy (down (down xss)) in yss with [n / 2, m / 2] = 5
  in iterate 3 f (matrix n m) |> flatten |> digest

-- The indexes of a column are checked; which point fails first is the same in both orders.
entry checked (n: i64) (m: i64) (far: i64) : i32 =
  let xss = matrix n m
  let ks = tabulate n (\j -> if j > 3 then j + far else j)
  in tabulate_2d m n (\i j -> xss[ks[j], i] + 2) |> flatten |> digest

-- Rows fail as well: the order matters, and stays.
entry either (n: i64) (m: i64) (row: i64) (column: i64) : i32 =
  let xss = matrix n m
  in tabulate_2d m n (\i j ->
       let a = xss[if j == column then n + 1 else j, i]
       let b = xss[j, if i == row then m + 2 else i]
       in a - b) |> flatten |> digest
