-- A match and arithmetic on numbers at the ends of their types.
-- ==
-- entry: cases
-- input { [0i64, 4294967296i64, 4294967297i64, 1i64, -9223372036854775808i64] }
-- output { [1i32, 3i32, 2i32, 3i32, 3i32] }

-- ==
-- entry: factors
-- input { 3i64 } output { [0i64, -9223372036854775808i64, 0i64] }
-- input { 0i64 } output { empty([0]i64) }

-- ==
-- entry: thresholds
-- input { 3i64 } output { [1i32, 2i32, 2i32] }

entry cases (xs: []i64) : []i32 =
  map (\x -> match x case 0 -> 1 case 4294967297 -> 2 case _ -> 3) xs

entry factors (n: i64) : [n]i64 = map (* i64.lowest) (iota n)

entry thresholds (n: i64) : [n]i32 =
  map (\i -> if i + i64.highest > 0 then 1 else if i * i64.lowest < i then 2 else 2) (iota n)
