-- Quotients are rounded down and remainders have the sign of the divisor, whatever the signs are.
-- ==
-- input { [7i64, -7i64, 7i64, -7i64, 6i64, -6i64, 0i64, 0i64, -9223372036854775808i64, -9223372036854775808i64, 9223372036854775807i64, 1i64]
--         [3i64, 3i64, -3i64, -3i64, 3i64, -3i64, 3i64, -3i64, -1i64, 3i64, -9223372036854775808i64, -9223372036854775808i64] }
-- output { [2i64, -3i64, -3i64, 2i64, 2i64, 2i64, 0i64, 0i64, -9223372036854775808i64, -3074457345618258603i64, -1i64, -1i64]
--          [1i64, 2i64, -2i64, -1i64, 0i64, 0i64, 0i64, 0i64, 0i64, 1i64, -1i64, -9223372036854775807i64] }
-- input { [-1i64, -2i64, -3i64] [-9223372036854775808i64, 2i64, 9223372036854775807i64] }
-- output { [0i64, -1i64, -1i64] [-1i64, 0i64, 9223372036854775804i64] }
entry main [n] (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) = (map2 (/) xs ys, map2 (%) xs ys)

-- By what is the same for all, and each from the one before.
-- ==
-- entry: chain
-- input { [5i64, -7i64, 0i64, 12i64, -1i64] 7i64 } output { 4i64 }
-- input { [5i64, -7i64, 0i64, 12i64, -1i64] -7i64 } output { -3i64 }
entry chain (xs: []i64) (p: i64) : i64 = loop a = -1 for x in xs do (a * 3 + x) % p + x / p
