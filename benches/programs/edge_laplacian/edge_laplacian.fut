-- Edges of a coloured image after Marr and Hildreth: brightness, convolution with the Laplacian of a
-- Gaussian, and how steeply the result goes through zero between neighbours.
-- ==
-- random input { [1600][1600][3]u8 }
-- input { [[[0u8, 0u8, 0u8], [255u8, 0u8, 0u8], [0u8, 255u8, 0u8]],
--          [[10u8, 20u8, 30u8], [255u8, 255u8, 255u8], [0u8, 0u8, 255u8]]] }
-- output { [[894540.0f32, 935310.0f32, 651450.0f32], [893730.0f32, 1079640.0f32, 1079640.0f32]] }

type colour = {r: f32, g: f32, b: f32}

module colour = {
  def from_bytes (bytes: [3]u8) : colour =
    let part k = f32.u8 bytes[k]
    in {r = part 0, g = part 1, b = part 2}

  -- The weights of the three are whole numbers, so that sums are exact.
  def brightness (c: colour) : f32 = 54 * c.r + 183 * c.g + 19 * c.b
}

module image = {
  type image [n] [m] = [n][m]f32

  -- Pixels outside are those of the rim.
  def at [n] [m] (im: image [n] [m]) (i: i64) (j: i64) : f32 =
    im[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]

  def convolve [n] [m] [k] (kernel: [k][k]f32) (im: image [n] [m]) : *image [n] [m] =
    let pixel i j =
      let weighted a row = map2 (\b w -> w * at im (i + a - k / 2) (j + b - k / 2)) (iota k) row
      in f32.sum (map f32.sum (map2 weighted (iota k) kernel))
    in tabulate_2d n m pixel

  def map_pixels [n] [m] (f: (i64 -> i64 -> f32) -> f32) (im: image [n] [m]) : *image [n] [m] =
    tabulate_2d n m (\i j -> f (\di dj -> at im (i + di) (j + dj)))
}

def laplacian_of_gaussian : [5][5]f32 =
  [[0, 0, 1, 0, 0], [0, 1, 2, 1, 0], [1, 2, -16, 2, 1], [0, 1, 2, 1, 0], [0, 0, 1, 0, 0]]

-- The steepest way through zero at a pixel.
def crossing (near: i64 -> i64 -> f32) : f32 =
  let here = near 0 0
  let steep there = if here * there < 0 then f32.abs (here - there) else 0
  in f32.max (f32.max (steep (near 0 1)) (steep (near 1 0)))
             (f32.max (steep (near 1 1)) (steep (near 1 (-1))))

entry main [n] [m] (picture: [n][m][3]u8) : [n][m]f32 =
  picture
  |> map (map (colour.from_bytes >-> colour.brightness))
  |> image.convolve laplacian_of_gaussian
  |> image.map_pixels crossing
