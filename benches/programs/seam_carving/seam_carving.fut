-- Seam carving (Avidan and Shamir, 2007): an image becomes narrower by the removal of seams, one pixel in
-- each row, from top to bottom, that differ least from what is around them. Dynamic programming finds them.
-- ==
-- random input { 80i32 [400][600]u8 }
-- input { 2i32 [[1u8, 5u8, 2u8, 9u8], [3u8, 3u8, 8u8, 1u8], [7u8, 0u8, 4u8, 4u8]] }
-- output { [[2i32, 9i32], [3i32, 1i32], [7i32, 4i32]] }

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

-- How much a pixel differs from its neighbours.
def energy [n] [m] (image: [n][m]i32) (i: i64) (j: i64) : i32 =
  let at i j = image[clamp n i, clamp m j]
  in i32.abs (at i (j + 1) - at i (j - 1)) + i32.abs (at (i + 1) j - at (i - 1) j)

-- What the up to three ways on from column j cost: to the left, straight and to the right.
def ways [m] (costs: [m]i32) (j: i64) : (i32, i32, i32) =
  (costs[clamp m (j - 1)], costs[j], costs[clamp m (j + 1)])

-- For each pixel, what the cheapest way from it to the bottom costs.
def costs [n] [m] (image: [n][m]i32) : [n][m]i32 =
  let energies = tabulate_2d n m (energy image)
  let (table, _) =
    loop (table, below) = (copy energies, replicate m 0) for k < n do
      let i = n - 1 - k
      let cheapest j =
        let (left, straight, right) = ways below j
        in i32.min straight (i32.min left right)
      let row = tabulate m (\j -> energies[i, j] + cheapest j)
      in (table with [i] = row, row)
  in table

-- In each row, the column of the cheapest seam.
def seam [n] [m] (costs: [n][m]i32) : [n]i64 =
  let least a b = if costs[0, b] < costs[0, a] || (costs[0, b] == costs[0, a] && b < a) then b else a
  let first = reduce_comm least 0 (iota m)
  let (columns, _) =
    loop (columns, j) = (replicate n first, first) for i in 1..<n do
      let (left, straight, right) = ways costs[i] j
      let j =
        if left < straight && left <= right then j - 1 else if right < straight then j + 1 else j
      in (columns with [i] = j, j)
  in columns

def remove [n] [m] (image: [n][m]i32) : [n][m - 1]i32 =
  let columns = seam (costs image)
  in tabulate_2d n (m - 1) (\i j -> if j < columns[i] then image[i, j] else image[i, j + 1])

entry main [n] [m] (seams: i32) (image: [n][m]u8) : [n][]i32 =
  loop image = map (map i32.u8) image for _k < seams do remove image
