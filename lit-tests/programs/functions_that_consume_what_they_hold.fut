-- Partial applications to what is made for them, which are applied once: by pipes, by composition,
-- by functions of functions, and under a name.
-- ==
-- entry: piped
-- input { [1i64, 0i64] [7, 8] } output { [8, 7] [8, 7] }

-- ==
-- entry: composed
-- input { [1i64, 0i64] [7, 8] } output { [9, 8] [8, 7] }

-- ==
-- entry: passed
-- input { [1i64, 0i64] [7, 8] } output { [8, 7] [8, 7] [0, 7] }

-- ==
-- entry: made
-- input { [1i64, 0i64] [7, 8] } output { [8, 7] [9, 8] }

entry piped [n] (is: [n]i64) (vs: [n]i32) =
  (vs |> scatter (replicate n 0) is, scatter (replicate n 0) is <| vs)

entry composed [n] (is: [n]i64) (vs: [n]i32) =
  let both = scatter (replicate n 0) is >-> map (+ 1)
  in (both vs, flip (scatter (copy vs)) vs is)

def apply 'a 'b (f: a -> b) (x: a): b = f x

def either 'a 'b (c: bool) (f: a -> b) (x: a) (y: a): b = if c then f x else f y

def put (xs: *[]i32) (i: i64): []i32 = xs with [i] = 7

entry passed [n] (is: [n]i64) (vs: [n]i32) =
  let at = put (replicate 2 0)
  let row = at 1
  in ( apply (scatter (replicate n 0) is) vs
     , either (n > 5) (scatter (replicate n 0) is) (map (+ 1) vs) vs
     , row
     )

-- Each use makes what it consumes.
def make (n: i64) = scatter (replicate n 0i32)

entry made [n] (is: [n]i64) (vs: [n]i32) =
  let one = make n is
  let two = make n is
  in (one vs, two (map (+ 1) vs))
