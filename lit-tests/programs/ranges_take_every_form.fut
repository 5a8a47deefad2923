-- Ranges with and without a second element, in all three directions of their bounds.
-- ==
-- entry: literal
-- input { }
-- output {
--   [0i64, 1i64, 2i64] [1i64, 2i64, 3i64] [3i64, 2i64, 1i64]
--   [0i64, 3i64, 6i64] [0i64, 3i64, 6i64, 9i64] [9i64, 6i64, 3i64] [5i64, 3i64, 1i64]
--   [1i8, 3i8, 5i8] [250u8, 252u8, 254u8] empty([0]i64)
-- }

-- ==
-- entry: upto
-- input { 2i32 5i32 9i32 } output { [2, 5, 8] }
-- input { 2i32 5i32 1i32 } error: invalid
-- input { 2i32 2i32 9i32 } error: invalid
-- input { 5i32 2i32 9i32 } error: invalid

-- ==
-- entry: downto
-- input { 9i32 6i32 0i32 } output { [9, 6, 3] }
-- input { 0i32 -1i32 5i32 } error: invalid

-- ==
-- entry: through
-- input { 1i32 2i32 4i32 } output { [1, 2, 3, 4] }
-- input { 4i32 3i32 1i32 } output { [4, 3, 2, 1] }
-- input { 1i32 3i32 6i32 } output { [1, 3, 5] }
-- input { 1i32 1i32 1i32 } error: invalid

-- ==
-- entry: simple
-- input { 3i64 } output { 6i64 3i64 }
-- input { 0i64 } output { 0i64 0i64 }
-- input { -1i64 } error: ranges_take_every_form

entry literal =
  ( 0..<3i64, 1...3i64, 3..>0i64, 0..3..<9i64, 0..3...9i64, 9..6..>0i64, 5..3...1i64
  , 1..3...6i8, 250..252...255u8, 4..<4i64)

entry upto (x: i32) (y: i32) (z: i32) : []i32 = x..y..<z

entry downto (x: i32) (y: i32) (z: i32) : []i32 = x..y..>z

entry through (x: i32) (y: i32) (z: i32) : []i32 = x..y...z

entry simple (n: i64) =
  (i64.sum (map2 (*) (iota n) (map (const 2) (0..<n))), length (0..<n))
