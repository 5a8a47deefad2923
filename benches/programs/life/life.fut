-- Conway's game of life on a torus. The lowest bit of a cell says whether it lives at first.
-- ==
-- random input { 20i32 [512][512]u8 }
-- input { 1i32 [[0u8,0u8,0u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,1u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8]] }
-- output { [[0u8,0u8,0u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8], [0u8,1u8,1u8,1u8,0u8], [0u8,0u8,0u8,0u8,0u8], [0u8,0u8,0u8,0u8,0u8]] }

def step [n] [m] (world: [n][m]u8) : [n][m]u8 =
  let columns = map3 (map3 (\a b c -> a + b + c)) (rotate (-1) world) world (rotate 1 world)
  let around row = map3 (\a b c -> a + b + c) (rotate (-1) row) row (rotate 1 row)
  -- The sum counts the cell itself: three make it live, four keep it as it is.
  let next cell sum = u8.bool (sum == 3 || (sum == 4 && cell == 1))
  in map2 (map2 next) world (map around columns)

entry main [n] [m] (steps: i32) (world: [n][m]u8) : [n][m]u8 =
  iterate steps step (map (map (& 1)) world)
