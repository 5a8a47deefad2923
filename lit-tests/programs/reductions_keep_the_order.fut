-- Reductions by operators of several parts that do not commute, against the same fold by a loop: with
-- and without whole blocks, with a rest, of rows, with branches.
-- ==
-- entry: affine
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 1023i64 } output { true }
-- input { 1024i64 } output { true }
-- input { 1025i64 } output { true }
-- input { 5003i64 } output { true }

-- ==
-- entry: first_and_last
-- input { 0i64 } output { true }
-- input { 1024i64 } output { true }
-- input { 3333i64 } output { true }

-- ==
-- entry: rows
-- input { 3i64 2049i64 } output { true }
-- input { 5i64 17i64 } output { true }
-- input { 0i64 2048i64 } output { true }

-- Composition of the functions \x -> a * x + b.
def compose (a: u32, b: u32) (c: u32, d: u32) : (u32, u32) = (a * c, b * c + d)

def number (i: i64) : u32 = (u32.i64 i * 2654435761) ^ (u32.i64 i >> 3)

entry affine (n: i64) : bool =
  let functions = tabulate n (\i -> (number i | 1, number (i + 7)))
  let whole = reduce compose (1, 0) functions
  in whole == (loop acc = (1, 0) for f in functions do compose acc f)

-- The first and the last of those that count, and how many do.
type span = #none | #some {first: i64, last: i64, count: i32}

def join (a: span) (b: span) : span =
  match (a, b)
  case (#none, _) -> b
  case (_, #none) -> a
  case (#some s, #some t) -> #some {first = s.first, last = t.last, count = s.count + t.count}

entry first_and_last (n: i64) : bool =
  let span i = if number i % 5 < 2 then #some {first = i, last = i, count = 1} else #none : span
  let spans = tabulate n span
  in reduce join #none spans == (loop acc = #none : span for s in spans do join acc s)

-- The latest maximum, and the fold of all as bytes.
def latest (x: u8, i: i64, h: u8) (y: u8, j: i64, k: u8) : (u8, i64, u8) =
  let h = if h == 0 then k else if k == 0 then h else h
  in if y >= x then (y, j, h) else (x, i, h)

entry rows (n: i64) (m: i64) : bool =
  let rows = tabulate_2d n m (\i j -> (u8.u32 (number (i * m + j) >> 9), j, u8.u32 (number j)))
  let by_tree = map (reduce latest (0, -1, 0)) rows
  let in_order = map (\row -> loop acc = (0, -1, 0) for x in row do latest acc x) rows
  in and (map2 (==) by_tree in_order)
