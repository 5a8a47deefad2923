-- | Conway's game of life on a torus, for index.html. A cell is 0, or for how many generations it has lived.
-- ==
-- entry: alive_after
-- input { 0i64 4i64 4i64 } output { 8i64 }
-- input { 100i64 64i64 64i64 } auto output

-- | Cells of a field, about a third of which live.
entry start (h: i64) (w: i64) : [h][w]u8 =
  let hash (x: u32) =
    let x = (x ^ (x >> 16)) * 0x45d9f3b
    let x = (x ^ (x >> 16)) * 0x45d9f3b
    in x ^ (x >> 16)
  in tabulate_2d h w (\i j -> u8.bool (hash (u32.i64 (i * w + j)) % 3 == 0))

-- | The next generation.
entry step [h] [w] (cells: [h][w]u8) : [h][w]u8 =
  let alive i j = u8.bool (cells[i, j] > 0)
  in tabulate_2d h w (\i j ->
       let (up, down) = ((i + h - 1) % h, (i + 1) % h)
       let (left, right) = ((j + w - 1) % w, (j + 1) % w)
       let n =
         alive up left + alive up j + alive up right + alive i left + alive i right
         + alive down left + alive down j + alive down right
       let age = cells[i, j]
       in if n == 3 || (n == 2 && age > 0) then u8.min 255 (age + u8.bool (age < 255)) else 0)

-- | Pixels in the order of a canvas: red, green, blue and how opaque, from the lowest byte on.
entry colours [h] [w] (cells: [h][w]u8) : [h][w]u32 =
  let colour (age: u8) =
    let a = u32.u8 (u8.min age 60) * 4
    in if age == 0 then 0xff181410 else 0xff000000 | (240 << 16) | ((255 - a) << 8) | a
  in map (map colour) cells

-- | How many cells live.
entry alive [h] [w] (cells: [h][w]u8) : i64 = i64.sum (map (\row -> i64.sum (map (\age -> i64.bool (age > 0)) row)) cells)

entry alive_after (n: i64) (h: i64) (w: i64) : i64 =
  alive (loop cells = start h w for _i < n do step cells)
