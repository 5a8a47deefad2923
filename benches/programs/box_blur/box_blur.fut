-- A blur of a grey image: the mean over a square around each pixel, along the columns and then along
-- the rows, with the image's rim repeated outside it.
-- ==
-- random input { 3i64 [1024][1024]f32 }
-- input { 1i64 [[0f32, 9f32, 0f32], [0f32, 0f32, 0f32]] }
-- output { [[2f32, 2f32, 2f32], [1f32, 1f32, 1f32]] }

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

def mean (radius: i64) (at: i64 -> f32) : f32 =
  let sum = loop sum = 0 for d < 2 * radius + 1 do sum + at (d - radius)
  in sum / f32.i64 (2 * radius + 1)

entry main [n] [m] (radius: i64) (image: [n][m]f32) : [n][m]f32 =
  let down = tabulate_2d n m (\i j -> mean radius (\d -> image[clamp n (i + d), j]))
  in tabulate_2d n m (\i j -> mean radius (\d -> down[i, clamp m (j + d)]))
