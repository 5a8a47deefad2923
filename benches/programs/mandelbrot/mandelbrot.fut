-- The Mandelbrot set: after how many steps each point of a grid escapes.
-- ==
-- random input { 400i64 300i64 100i32 }
-- input { 1i64 1i64 10i32 }
-- output { [[1i32]] }

def escape (limit: i32) (cx: f64) (cy: f64) : i32 =
  let (_, _, steps) =
    loop (x, y, steps) = (0, 0, 0) while steps < limit && x * x + y * y <= 4 do
      (x * x - y * y + cx, 2 * x * y + cy, steps + 1)
  in steps

entry main (width: i64) (height: i64) (limit: i32) : [height][width]i32 =
  let point i j =
    escape limit
           (-2.25 + 3 * f64.i64 j / f64.i64 width)
           (-1.25 + 2.5 * f64.i64 i / f64.i64 height)
  in tabulate_2d height width point
