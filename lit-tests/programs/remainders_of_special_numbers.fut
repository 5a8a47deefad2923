-- Remainders that the C library computes: of large quotients, by infinities and by what is not a number. There are as
-- many elements as vectors have lanes, and more.
-- ==
-- entry: remainders
-- input { [1e30, 9007199254740993000.0, 5.5, 7.0, 1.0, -7.5, f64.inf, 0.0, 1e18, 3.0, 2.5]
--         [7.0, 3.0, f64.inf, f64.nan, 0.0, 2.0, 2.0, 5.0, 7.0, -2.0, 1.0] }
-- output { [5.0, 0.0, 5.5, f64.nan, f64.nan, -1.5, f64.nan, 0.0, 1.0, 1.0, 0.5] }
entry remainders (xs: []f64) (ys: []f64) = map2 (%) xs ys

-- LLVM sees that the dividend is finite.
-- ==
-- entry: of_a_finite_number
-- input { true } output { f64.nan }
entry of_a_finite_number (b: bool) = f64.bool b % (1 % (1 % 1))
