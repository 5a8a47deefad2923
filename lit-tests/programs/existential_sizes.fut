-- Sizes that only the run tells: filters, conditionals, loops, functions, and records of arrays.
-- ==
-- entry: conditional
-- input { true [1, 2, 3] } output { [1, 2, 3, 1, 2, 3] }
-- input { false [1, 2, 3] } output { [1] }

-- ==
-- entry: doubling
-- input { 3i32 [1, 2] } output { [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2] }

-- ==
-- entry: chained
-- input { [5, -1, 3, 0, 2] } output { 3i64 10 [[5, 3, 2], [5, 3, 2]] }

-- ==
-- entry: summed
-- input { 2i64 3i64 } output { 5i64 [0i64, 1i64, 0i64, 1i64, 2i64] }

entry conditional [n] (b: bool) (xs: [n]i32) : []i32 =
  if b then xs ++ xs else take 1 xs

entry doubling (k: i32) (xs: []i32) : []i32 =
  loop xs for _i < k do concat xs xs

entry chained (xs: []i32) : (i64, i32, [][]i32) =
  let positive = filter (> 0) xs
  let k = length positive
  in (k, i32.sum positive, replicate 2 positive)

def pair (n: i64) : ?[m].([n]i64, [m]i64) = (iota n, iota (n + 1))

type~ sized_pair = ?[n].{left: [n]i64, right: [n]i64}

def make (n: i64) : sized_pair = {left = iota n, right = iota n}

entry summed (n: i64) (m: i64) : (i64, []i64) =
  let a = make n
  let b = make m
  let both = a.left ++ b.right
  let (_, _) = pair n
  in (length both, both)
