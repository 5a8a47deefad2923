-- What is asserted of a body unless there are no points holds in every task that has some.
-- ==
-- entry: rows
-- input { [9i32, 8i32] [1i32, 2i32, 3i32] } output { [[1.0f64, 1.0f64], [1.0f64, 1.0f64], [1.0f64, 1.0f64]] }
-- input { [9i32, 8i32] empty([0]i32) } output { empty([0][2]f64) }
-- input { empty([0]i32) [1i32, 2i32] } output { empty([2][0]f64) }

entry rows [n] [m] (_: [n]i32) (_: [m]i32) =
  map (\_ -> map (.0) (map (.0) (reverse (replicate n ((1.0f64, 1.0f32), 1i32))))) (iota m)

-- ==
-- entry: running
-- input { [9i32, 8i32] [1i32, 2i32, 3i32] } output { [2i32, 4i32, 6i32] }
-- input { [9i32, 8i32] empty([0]i32) } output { empty([0]i32) }

entry running [n] [m] (_: [n]i32) (ys: [m]i32) =
  scan (+) 0
       (map (\_ -> i32.sum (map (.1) (map (.0) (reverse (replicate n ((1.0f64, 1i32), 1i32))))))
            ys)
