-- A branch with an array of another size does not decide how large a parameter is.
-- ==
-- entry: literal
-- input { [1i64, 2i64] } output { [1i64, 2i64] }
-- input { empty([0]i64) } output { [1i64] }

-- ==
-- entry: made
-- input { [4i64, 5i64] } output { [4i64, 5i64] }
-- input { [4i64] } output { [0i64, 1i64, 2i64] }

-- ==
-- entry: either
-- input { true [1i64, 2i64] [3i64] } output { [1i64, 2i64] }
-- input { false [1i64, 2i64] [3i64] } output { [3i64] }

-- ==
-- entry: cases
-- input { 0 [7i64] } output { [7i64] }
-- input { 1 [7i64] } output { empty([0]i64) }
-- input { 2 [7i64] } output { [8i64, 8i64] }

-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 2i64], [3i64, 4i64]] }
-- input { empty([0][2]i64) } output { [[5i64, 6i64]] }

-- ==
-- entry: rounds
-- input { [1i64, 2i64] 0i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64, 3i64] 1i64 } output { [3i64] }

-- ==
-- entry: pairs
-- input { [1i64, 2i64] [true] } output { [1i64, 2i64] [true] }
-- input { empty([0]i64) [true] } output { [9i64] [false, false] }

entry literal (x: []i64) : []i64 = if length x > 1 then x else [1]

entry made (x: []i64) : []i64 = if length x > 1 then x else iota 3

entry either (c: bool) (x: []i64) (y: []i64) : []i64 = if c then x else y

entry cases (k: i32) (x: []i64) : []i64 =
  match k
  case 0 -> x
  case 1 -> []
  case _ -> [8, 8]

entry rows (x: [][2]i64) : [][2]i64 = if null x then [[5, 6]] else x

entry rounds (x: []i64) (n: i64) : []i64 =
  loop y = x for _i < n do if length y > 2 then [3] else y

entry pairs (x: []i64) (y: []bool) : ([]i64, []bool) =
  let pick (p: []i64, q: []bool) : ([]i64, []bool) =
    if null p then ([9], [false, false]) else (p, q)
  in pick (x, y)
