-- The Mandelbrot set: for every pixel, the number of steps before the orbit of its point leaves
-- the disc of radius two.
-- ==
-- input { 96i64 80i64 64i32 }
-- input { 16i64 8i64 64i32 }
-- output @ data/mandelbrot.out

type complex = {re: f64, im: f64}

def multiply (a: complex) (b: complex) : complex =
  {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}

def add (a: complex) (b: complex) : complex =
  {re = a.re + b.re, im = a.im + b.im}

def norm2 (a: complex) : f64 = a.re * a.re + a.im * a.im

def escape (limit: i32) (c: complex) : i32 =
  let (_, steps) =
    loop (z, i) = ({re = 0, im = 0}, 0)
    while i < limit && norm2 z <= 4 do
      (add (multiply z z) c, i + 1)
  in steps

entry main (width: i64) (height: i64) (limit: i32) : [height][width]i32 =
  tabulate_2d height width (\y x ->
    let re = -2.25 + 3 * (f64.i64 x + 0.5) / f64.i64 width
    let im = -1.25 + 2.5 * (f64.i64 y + 0.5) / f64.i64 height
    in escape limit {re, im})
