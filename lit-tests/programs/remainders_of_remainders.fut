-- Divisions by vectors that take the results of others.
-- ==
-- entry: kept
-- input { [5i32, -7i32, 12i32, 0i32, 1i32, 100i32, 3i32, 33i32, 4i32, 17i32, 2i32, -2147483648i32] 4i32 }
-- output { [12i32, 0i32, 2i32] }
entry kept (xs: []i32) (k: i32) : []i32 =
  filter (\x -> (1000004 %% (x | 1)) % (k | 1) == x % 4) xs

-- ==
-- entry: remainders
-- input { 20i64 4i32 }
-- output { [0i32, 0i32, 2i32, 2i32, 4i32, 4i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 4i32, 4i32, 3i32, 3i32, 0i32, 0i32] }
entry remainders (n: i64) (k: i32) : []i32 =
  map (\i -> let x = i32.i64 i in (1000004 %% (x | 1)) % (k | 1)) (iota n)

-- ==
-- entry: quotients
-- input { [5u16, 7u16, 12u16, 0u16, 1u16, 100u16, 1000u16, 33u16, 6u16, 17u16] 4u16 }
-- output { [4u16, 0u16, 11u16, 2u16, 2u16, 100u16, 10u16, 26u16, 0u16, 5u16] }
entry quotients (xs: []u16) (k: u16) : []u16 =
  map (\x -> (50501u16 / (x | 1)) / (k | 1) % (x | 3)) xs
