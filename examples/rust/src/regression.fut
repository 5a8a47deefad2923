-- | Least squares by a line.

-- | A line.
type line = {slope: f64, intercept: f64}

def mean [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n

-- | The line that is nearest to some points.
entry fit [n] (xs: [n]f64) (ys: [n]f64) : line =
  let (mx, my) = (mean xs, mean ys)
  let slope = f64.sum (map2 (\x y -> (x - mx) * (y - my)) xs ys) / f64.sum (map (\x -> (x - mx) ** 2) xs)
  in {slope, intercept = my - slope * mx}

-- | Where the line is, and how far off the points are.
entry predict [n] (line: line) (xs: [n]f64) (ys: [n]f64) : ([n]f64, f64) =
  let there = map (\x -> line.slope * x + line.intercept) xs
  in (there, f64.sqrt (mean (map2 (\a b -> (a - b) ** 2) there ys)))

-- | Doubles in place.
entry double (xs: *[]f64) : *[]f64 = map (* 2) xs

entry transposed [n] [m] (a: [n][m]i32) : [m][n]i32 = transpose a

entry nth (xs: []f64) (i: i64) : f64 = xs[i]
