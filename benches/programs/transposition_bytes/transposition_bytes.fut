-- The transpose of a matrix of bytes, in memory.
-- ==
-- random input { [2048][1500]i8 }
-- input { [[1i8, 2i8, 3i8], [4i8, 5i8, 6i8]] }
-- output { [[1i8, 4i8], [2i8, 5i8], [3i8, 6i8]] }

entry main [n] [m] (a: [n][m]i8) : [m][n]i8 = copy (transpose a)
