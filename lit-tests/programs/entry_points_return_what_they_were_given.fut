-- Parameters, constants, views and the same array twice as results of entry points.
-- ==
-- entry: itself
-- input { [1, 2, 3] } output { [1, 2, 3] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: twice
-- input { [1, 2] } output { [1, 2] [1, 2] }

-- ==
-- entry: computed_twice
-- input { [1, 2] } output { [2, 3] [2, 3] }

-- ==
-- entry: views
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] [4, 5, 6] [2, 5] [6, 5, 4] }

-- ==
-- entry: swapped
-- input { [1] [2, 3] 4 } output { 4 [2, 3] [1] }

-- ==
-- entry: consumed
-- input { [1, 2, 3] } output { [7, 2, 3] }

-- ==
-- entry: one_of_two
-- input { [1, 2] [3, 4] true } output { [1, 2] [3, 4] }
-- input { [1, 2] [3, 4] false } output { [3, 4] [3, 4] }

-- ==
-- entry: nothing
-- input { } output { 42 [1, 2, 3] [1, 2, 3] true }

-- ==
-- entry: scalars
-- input { 1i8 2u16 3.5f16 true } output { true 3.5f16 2u16 1i8 }

-- ==
-- entry: updated_and_not
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] [[1, 3], [0, 4]] }

entry itself (xs: []i32) = xs

entry twice (xs: []i32) = (xs, xs)

entry computed_twice [n] (xs: [n]i32) = let ys = map (+ 1) xs in (ys, ys)

entry views [n] [m] (xss: [n][m]i32) = (transpose xss, xss[n - 1], xss[:, 1], reverse xss[1])

entry swapped (xs: []i32) (ys: []i32) (z: i32) = (z, ys, xs)

entry consumed (xs: *[]i32) : *[]i32 = xs with [0] = 7

entry one_of_two [n] (xs: [n]i32) (ys: [n]i32) (b: bool) = (if b then xs else ys, ys)

def constant = [1i32, 2, 3]

entry nothing = (42i32, constant, constant, true)

entry scalars (a: i8) (b: u16) (c: f16) (d: bool) = (d, c, b, a)

-- The second result is written through a transposed view of a copy.
entry updated_and_not (xss: [2][2]i32) : ([2][2]i32, [2][2]i32) =
  let ys = copy (transpose xss)
  in (xss, ys with [1, 0] = 0)
