-- Sizes that parameters of other types tell, named unknown sizes that the body knows, unknown sizes
-- from around local functions, and types that hold what their arguments hold.
-- ==
-- entry: told
-- input { 5 } output { 5i64 5i64 }
-- input { 0 } output { 0i64 0i64 }

-- ==
-- entry: named
-- input { [1, 2] } output { [3, 5] }

-- ==
-- entry: around
-- input { 5i64 } output { [6i64, 8i64] }
-- input { 1i64 } output { empty([0]i64) }

-- ==
-- entry: boxes
-- input { 4 } output { 4 5 [1i64, 2i64] }

def total (r: i32) (x: [i64.i32 r]i64) = i64.sum x

def pass r x = total r x

entry told (r: i32) =
  (pass r (replicate (i64.i32 r) 1i64), total r (replicate (i64.i32 r) 1i64))

def up [n] (xs: [n]i32): ?[m].[m]i32 = map (+ 1) xs

entry named [n] (xs: [n]i32): [n]i32 = map2 (+) xs (up xs)

entry around (n: i64): []i64 =
  let xs = filter (> 2) (iota n)
  let f ys = map2 (+) xs ys
  in f xs

type~ t = i32
type boxed 'a = {x: a}

def open_number (b: boxed t): i32 = b.x
def open_function (b: boxed (i32 -> i32)): i32 = b.x 4
def open_array (b: boxed ([2]i64)) = b.x

entry boxes (y: i32) =
  (open_number {x = y}, open_function {x = \z -> z + 1}, open_array {x = [1, 2]})
