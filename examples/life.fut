-- Conway's game of life on a torus.
-- ==
-- input { 4i32 [[0u8,1u8,0u8,0u8,0u8,0u8],[0u8,0u8,1u8,0u8,0u8,0u8],[1u8,1u8,1u8,0u8,0u8,0u8],[0u8,0u8,0u8,0u8,0u8,0u8],[0u8,0u8,0u8,0u8,0u8,0u8]] }
-- output @ data/life.out

def generation [n] [m] (board: [n][m]u8) : [n][m]u8 =
  let shifts = [-1, 0, 1]
  let vertical = map (\d -> rotate d board) shifts
  let sums =
    reduce (map2 (map2 (+)))
           (replicate n (replicate m 0))
           (flatten (map (\b -> map (\d -> map (rotate d) b) shifts) vertical))
  let rule (alive: u8) (total: u8) : u8 =
    -- The total counts the cell itself.
    u8.bool (total == 3 || (alive == 1 && total == 4))
  in map2 (map2 rule) board sums

entry main [n] [m] (steps: i32) (board: [n][m]u8) : [n][m]u8 =
  iterate steps generation board
