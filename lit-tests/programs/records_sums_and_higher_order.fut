-- Arrays of tuples, records and sums; functions as values.
-- ==
-- entry: records
-- input { [1, 2, 3] } output { [2, 4, 6] [1i64, 1i64, 1i64] 12 }

-- ==
-- entry: sums
-- input { [0, 1, 2, 3, 4, 5] } output { [0.0f64, 1.0f64, 4.0f64, 9.0f64, 4.0f64, 5.0f64] 3i64 }

-- ==
-- entry: functions
-- input { 3 } output { 16 11 7 [4, 9] }

-- ==
-- entry: nested
-- input { [[1, 2], [3, 4], [5, 6]] } output { [3, 7, 11] [[1, 3, 5], [2, 4, 6]] [9, 12] }

type point = {x: i32, y: i64}

entry records [n] (xs: [n]i32) : ([n]i32, [n]i64, i32) =
  let points: [n]point = map (\x -> {x = x * 2, y = 1}) xs
  let total = (reduce (\a b -> {x = a.x + b.x, y = a.y + b.y}) {x = 0, y = 0} points).x
  in (map (.x) points, map (.y) points, total)

type shape = #square f64 | #rectangle {w: f64, h: f64} | #nothing

def area (s: shape) : f64 =
  match s
  case #square a -> a * a
  case #rectangle {w, h} -> w * h
  case #nothing -> 0

entry sums [n] (xs: [n]i32) : ([n]f64, i64) =
  let shape_of (i: i32) : shape =
    if i < 4 then #square (f64.i32 i)
    else if i == 4 then #rectangle {w = 2, h = 2}
    else #rectangle {w = 5, h = 1}
  let shapes = map shape_of xs
  let is_big s = match s case #square a -> a >= 3 case #rectangle _ -> true case #nothing -> false
  in (map area shapes, length (filter is_big shapes))

def twice 'a (f: a -> a) : a -> a = f >-> f

def choose (b: bool) = \x y -> if b then x else y : i32

entry functions (n: i32) : (i32, i32, i32, []i32) =
  let add a b = a + b
  let add_n = add n
  let square x = x * x
  let compose = twice add_n
  in (square (add_n 1), compose 5, choose true 7 8, map ((+ 1) >-> (* 1) >-> add 0) [n, 8])

entry nested [n] [m] (xss: [n][m]i32) : ([n]i32, [m][n]i32, [m]i32) =
  (map i32.sum xss, transpose xss, map i32.sum (transpose xss))
