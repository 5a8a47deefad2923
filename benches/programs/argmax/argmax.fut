-- The greatest element and the first place where it stands, by a reduction over pairs.
-- ==
-- random input { [8000000]i32 }
-- input { [3i32, 9i32, 1i32, 9i32] }
-- output { 9i32 1i64 }

def greater (x: i32, i: i64) (y: i32, j: i64) : (i32, i64) =
  if y > x || (y == x && j < i) then (y, j) else (x, i)

entry main [n] (xs: [n]i32) : (i32, i64) =
  reduce greater (i32.lowest, n) (zip xs (iota n))
