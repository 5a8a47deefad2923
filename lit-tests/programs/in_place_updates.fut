-- Updates in place, of elements, rows, slices and records, and of loop parameters.
-- ==
-- entry: elements
-- input { [1, 2, 3] } output { [10, 2, 30] }

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[9, 9], [3, 4]] [[1, 0], [3, 0]] }

-- ==
-- entry: looped
-- input { 6i64 } output { [0, 1, 1, 2, 3, 5] }

-- ==
-- entry: untouched
-- input { [1, 2, 3] } output { [1, 2, 3] [0, 2, 3] }

entry elements (xs: *[]i32) : []i32 =
  let xs[0] = xs[0] * 10
  let xs = xs with [2] = xs[2] * 10
  in xs

entry rows [n] [m] (xss: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  let a = copy xss with [0] = replicate m 9
  let b = copy xss with [:, 1] = replicate n 0
  in (a, b)

entry looped (n: i64) : [n]i32 =
  let start = replicate n 0 with [1] = 1
  in loop fib = start for i in 2..<n do
       fib with [i] = fib[i - 1] + fib[i - 2]

entry untouched (xs: []i32) : ([]i32, []i32) =
  let ys = copy xs with [0] = 0
  in (xs, ys)

-- What an update of an update writes is read before either.
-- ==
-- entry: updates_of_updates
-- input { [1i32, 2i32, 3i32] } output { [1i32, 2i32, 3i32] }
entry updates_of_updates (xs: *[]i32) =
  (xs with [1] = xs[0]) with [1] = xs[1]
