-- The edges of a grey image: the length of the gradient by Sobel's two masks, zero at the rim.
-- ==
-- random input { [1536][1536]f32 }
-- input { [[0f32, 0f32, 3f32], [0f32, 1f32, 3f32], [0f32, 0f32, 3f32]] }
-- output { [[0f32, 0f32, 0f32], [0f32, 12f32, 0f32], [0f32, 0f32, 0f32]] }

entry main [n] [m] (image: [n][m]f32) : [n][m]f32 =
  let pixel i j =
    if i == 0 || i == n - 1 || j == 0 || j == m - 1
    then 0
    else let at di dj = image[i + di, j + dj]
         let right = at (-1) 1 + 2 * at 0 1 + at 1 1
         let left = at (-1) (-1) + 2 * at 0 (-1) + at 1 (-1)
         let lower = at 1 (-1) + 2 * at 1 0 + at 1 1
         let upper = at (-1) (-1) + 2 * at (-1) 0 + at (-1) 1
         in f32.sqrt ((right - left) ** 2 + (lower - upper) ** 2)
  in tabulate_2d n m pixel
