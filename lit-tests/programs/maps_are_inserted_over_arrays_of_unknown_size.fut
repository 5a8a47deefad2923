-- An array whose size only its value tells goes together with scalars: the maps come after it is there.
-- ==
-- entry: kept
-- input { [3, -1, 4, -1, 5] }
-- output { [8i32, 10i32, 12i32] }

-- ==
-- entry: chosen
-- input { true [7, 8, 9] } output { [14i32, 16i32, 18i32] }
-- input { false [7, 8, 9] } output { [2i32, 4i32] }

-- ==
-- entry: evens
-- input { 7i64 } output { [1i64, 5i64, 9i64, 13i64] }

-- ==
-- entry: dropped
-- input { 1i64 [3, 4, 5] } output { [9i32, 11i32] }

entry kept (xs: []i32): []i32 = (filter (> 0) xs + 1) * 2

entry chosen (b: bool) (xs: []i32): []i32 = (if b then xs else [1, 2]) * 2

entry evens (n: i64): []i64 = (0..2..<n) * 2 + 1

def blend (x: i32) (y: i32) (z: i32): i32 = x * y + z

entry dropped (n: i64) (xs: []i32): []i32 = blend 2 (drop n xs) 1
