-- Constructors whose payloads are arrays, tuples, functions of other sums, and arrays of sums.
-- ==
-- entry: payloads
-- input { [1, 2, 3] true } output { 6i32 [1, 2, 3] }
-- input { [1, 2, 3] false } output { 3i32 [0, 0, 0] }

-- ==
-- entry: shared
-- input { [0, 1, 2, 3] } output { [0i64, 10i64, 4i64, 6i64] [0.0f32, 0.0f32, 2.5f32, 0.0f32] }

-- ==
-- entry: compared
-- input { } output { true false false true }

-- ==
-- entry: searched
-- input { [4, 8, 15, 16] 15 } output { 2i64 true }
-- input { [4, 8, 15, 16] 5 } output { -1i64 false }

type maybe [n] = #some [n]i32 | #none

entry payloads [n] (xs: [n]i32) (b: bool) : (i32, [n]i32) =
  let m: maybe [n] = if b then #some xs else #none
  in match m
     case #some ys -> (i32.sum ys, ys)
     case #none -> (i32.i64 n, replicate n 0)

type mixed = #a | #b i64 | #c (i64, f32) | #d {u: i64, v: i64}

entry shared [n] (xs: [n]i32) =
  let make (i: i32) : mixed =
    match i
    case 0 -> #a
    case 1 -> #b 10
    case 2 -> #c (4, 2.5)
    case _ -> #d {u = 2, v = 3}
  let whole (m: mixed) : i64 =
    match m
    case #a -> 0
    case #b x -> x
    case #c (x, _) -> x
    case #d {u, v} -> u * v
  let part (m: mixed) : f32 =
    match m
    case #c (_, y) -> y
    case _ -> 0
  let ms = map make xs
  in (map whole ms, map part ms)

entry compared =
  let x: mixed = #d {u = 1, v = 2}
  let y: mixed = #d {u = 1, v = 3}
  let z: mixed = #b 1
  in (x == x, x == y, x == z, x != z)

def search [n] (xs: [n]i32) (x: i32) : #found i64 | #missing =
  loop r = #missing for i < n do
    match r
    case #found j -> #found j
    case #missing -> if xs[i] == x then #found i else #missing

entry searched [n] (xs: [n]i32) (x: i32) : (i64, bool) =
  match search xs x
  case #found i -> (i, true)
  case #missing -> (-1, false)
