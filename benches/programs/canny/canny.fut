-- Edges of an image by Canny's method: smoothing, gradients, thinning, and strong edges that grow along
-- weak ones.
-- ==
-- random input { 0.25f32 0.45f32 [512][512]f32 }
-- input { 0.25f32 0.45f32 [[0f32, 0f32, 0f32, 1f32, 1f32, 1f32], [0f32, 0f32, 0f32, 1f32, 1f32, 1f32], [0f32, 0f32, 0f32, 1f32, 1f32, 1f32]] }
-- output { [[false, false, true, true, false, false], [false, false, true, true, false, false], [false, false, true, true, false, false]] }

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

def weights : [5]f32 = [0.0625, 0.25, 0.375, 0.25, 0.0625]

def smooth_line [m] (line: [m]f32) : [m]f32 =
  tabulate m (\j -> #[unroll] loop sum = 0 for k < 5 do sum + weights[k] * line[clamp m (j + k - 2)])

def smooth [n] [m] (image: [n][m]f32) : [n][m]f32 =
  image |> map smooth_line |> transpose |> map smooth_line |> transpose

def gradient [n] [m] (image: [n][m]f32) (i: i64) (j: i64) : (f32, f32) =
  let at di dj = image[clamp n (i + di), clamp m (j + dj)]
  let gx = at (-1) 1 + 2 * at 0 1 + at 1 1 - at (-1) (-1) - 2 * at 0 (-1) - at 1 (-1)
  let gy = at 1 (-1) + 2 * at 1 0 + at 1 1 - at (-1) (-1) - 2 * at (-1) 0 - at (-1) 1
  in (gx, gy)

-- A pixel's strength, or zero where a neighbour along the gradient is stronger.
def thin [n] [m] (strength: [n][m]f32) (direction: [n][m]u8) (i: i64) (j: i64) : f32 =
  let at di dj = strength[clamp n (i + di), clamp m (j + dj)]
  let (a, b) =
    match direction[i, j]
    case 0 -> (at 0 (-1), at 0 1)
    case 1 -> (at (-1) (-1), at 1 1)
    case 2 -> (at (-1) 0, at 1 0)
    case _ -> (at (-1) 1, at 1 (-1))
  let here = strength[i, j]
  in if here >= a && here >= b then here else 0

def sector (gx: f32) (gy: f32) : u8 =
  let ax = f32.abs gx
  let ay = f32.abs gy
  in if ay < 0.41421356 * ax
     then 0
     else if ay > 2.4142135 * ax
     then 2
     else if (gx > 0) == (gy > 0) then 1 else 3

-- 2: an edge, 1: one if it touches an edge, 0: none.
def grow [n] [m] (marks: [n][m]u8) : [n][m]u8 =
  let cell i j =
    if marks[i, j] != 1
    then marks[i, j]
    else if i == 0 || i == n - 1 || j == 0 || j == m - 1
    then 1
    else
      let strong di dj = marks[i + di, j + dj] == 2
      in if strong (-1) (-1) || strong (-1) 0 || strong (-1) 1 || strong 0 (-1)
            || strong 0 1 || strong 1 (-1) || strong 1 0 || strong 1 1
         then 2
         else 1
  in tabulate_2d n m cell

entry main [n] [m] (low: f32) (high: f32) (image: [n][m]f32) : [n][m]bool =
  let smoothed = smooth image
  let gradients = tabulate_2d n m (gradient smoothed)
  let strength = map (map (\(gx, gy) -> f32.sqrt (gx * gx + gy * gy))) gradients
  let direction = map (map (\(gx, gy) -> sector gx gy)) gradients
  let thinned = tabulate_2d n m (thin strength direction)
  let marks = map (map (\s -> if s >= high then 2 else if s >= low then 1 else 0u8)) thinned
  let (marks, _) =
    loop (marks, more) = (marks, true) while more do
      let next = grow marks
      in (next, or (map2 (!=) (flatten next) (flatten marks)))
  in map (map (== 2)) marks
