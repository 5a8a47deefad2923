-- Top-level values that functions use: scalars, arrays, functions of other constants, and sizes.
-- ==
-- entry: used
-- input { [1i64, 5i64] } output { [5i64, 25i64] 55i64 }

-- ==
-- entry: as_size
-- input { } output { [0i64, 1i64, 4i64, 9i64, 16i64, 25i64] 6i64 }

-- ==
-- entry: not_changed
-- input { 9i64 } output { [9i64, 1i64, 4i64, 9i64, 16i64, 25i64] [0i64, 1i64, 4i64, 9i64, 16i64, 25i64] }

-- ==
-- entry: of_tuples
-- input { 1i64 } output { 2i32 true [1.5f32, 2.5f32] }

def scale : i64 = 5
def count = scale + 1
def squares = map (\i -> i * i) (iota count)
def total = i64.sum squares
def table : [](i32, bool) = zip [1, 2] [false, true]
def record = {name = "abc", values = [1.5f32, 2.5f32]}

def scaled (x: i64) = x * scale

entry used [n] (xs: [n]i64) = (map scaled xs, total)

entry as_size : ([count]i64, i64) = (squares, count)

entry not_changed (x: i64) = (copy squares with [0] = x, copy squares)

entry of_tuples (i: i64) = (table[i].0, table[i].1, copy record.values)
