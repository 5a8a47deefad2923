-- Copies that are used for the last time before what they were made of is updated, and others that are not.
-- ==
-- entry: before
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 9i64], [3i64, 27i64]] }
-- entry: during
-- input { [1i64, 2i64, 3i64] } output { [6i64, 6i64, 6i64] }
-- entry: after
-- input { [1i64, 2i64, 3i64] } output { [9i64, 2i64, 3i64] 6i64 }
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[3i64, 3i64], [7i64, 7i64]] }

entry before [n] (xss: *[n][2]i64) : [n][2]i64 =
  loop xss for k < n do
    let sums = map (\(x, y) -> x + 2 * y) (zip xss[k, :] (copy xss[0, :]))
    let xss[k, 1] = i64.sum sums
    in xss

entry during [n] (xs: *[n]i64) : [n]i64 =
  let old = copy xs
  in loop xs for i < n do xs with [i] = i64.sum old

entry after [n] (xs: *[n]i64) : ([n]i64, i64) =
  let old = copy xs
  let xs[0] = 9
  in (xs, i64.sum old)

entry rows [n] (xss: *[n][2]i64) : [n][2]i64 =
  map (\xs -> let old = copy xs
              in loop ys = copy xs for i < 2 do ys with [i] = i64.sum old) xss
