-- Where all points of a map take the same branch, what they compute in it is checked and read many at
-- a time too; what is reported is what the first point in order that fails reports.
-- ==
-- entry: choose
-- input { [0i64, 2i64, 1i64] [10, 20, 30] false } output { [10, 30, 20] }
-- input { [0i64, 2i64, 9i64] [10, 20, 30] true } output { [3, 3, 3] }
-- input { [0i64, 2i64, 9i64] [10, 20, 30] false } error: Index \[9\] out of bounds for array of shape \[3\]

-- ==
-- entry: nested
-- input { 50i64 true true 100i64 } output { 1225i64 }
-- input { 50i64 true false 100i64 } output { 2450i64 }
-- input { 50i64 false true 0i64 } output { 50i64 }
-- input { 50i64 true true 33i64 } error: Index \[83\] out of bounds for array of shape \[50\]
-- input { 50i64 true false 33i64 } error: Index \[-33\] out of bounds for array of shape \[50\]

-- ==
-- entry: in_order
-- input { 50i64 true 100i64 100i64 } output { 2450i64 }
-- input { 50i64 true 45i64 41i64 } error: Index \[-41\] out of bounds for array of shape \[50\]
-- input { 50i64 true 41i64 45i64 } error: Index \[141\] out of bounds for array of shape \[50\]
-- input { 50i64 true 41i64 41i64 } error: Index \[141\] out of bounds for array of shape \[50\]
-- input { 50i64 false 41i64 41i64 } output { 0i64 }

-- ==
-- entry: quotient
-- input { 4i64 2i64 [1i64, 2i64, 3i64] } output { [0i64, 0i64, 0i64, 0i64] }
-- input { 12i64 2i64 [1i64, 2i64, 3i64] } error: Index \[100\] out of bounds for array of shape \[3\]
-- input { 48i64 8i64 [1i64, 2i64, 3i64] } error: Index \[1600\] out of bounds for array of shape \[3\]

-- ==
-- entry: divided
-- input { 50i64 7i64 true } output { 154i64 }
-- input { 50i64 7i64 false } output { 0i64 }
-- input { 50i64 0i64 false } output { 0i64 }
-- input { 50i64 0i64 true } error: division by zero
-- input { 50i64 -1i64 true } error: Index \[-1\] out of bounds for array of shape \[50\]

-- ==
-- entry: masked
-- input { 50i64 true true } output { 625i64 }
-- input { 50i64 true false } output { 50i64 }
-- input { 50i64 false false } error: Index \[50\] out of bounds for array of shape \[50\]

entry choose [n] (ks: [n]i64) (vs: [n]i32) (a: bool) : [n]i32 =
  map (\k -> if a then 3 else vs[k]) ks

-- Branches in branches.
entry nested (n: i64) (a: bool) (b: bool) (bad: i64) : i64 =
  let xs = opaque (iota n)
  let up i = if i == bad then i + n else i
  let down i = if i == bad then -i else i
  in i64.sum (opaque (tabulate n (\i -> if a
                                       then if b then xs[up (i ^ 0)] else 2 * xs[down (i ^ 0)]
                                       else 1)))

-- Two checks in a branch.
entry in_order (n: i64) (a: bool) (p: i64) (q: i64) : i64 =
  let xs = opaque (iota n)
  let up i = if i == p then i + 100 else i
  let down i = if i == q then -i else i
  in i64.sum (opaque (tabulate n (\i -> if a then xs[up (i ^ 0)] + xs[down (i ^ 0)] else 0)))

-- A quotient of the index is the same for neighbours.
entry quotient (n: i64) (d: i64) (xs: []i64) : [n]i64 =
  tabulate n (\j -> if j / d == 5 then xs[j * j] else 0)

-- What is divided by is the same for all, and may be zero where it is not divided by.
entry divided (n: i64) (d: i64) (a: bool) : i64 =
  let xs = opaque (iota n)
  in i64.sum (opaque (tabulate n (\i -> if a then xs[i / d] else 0)))

-- Branches that points take each by itself inside of a branch that all take, and around one.
entry masked (n: i64) (a: bool) (b: bool) : i64 =
  let xs = opaque (iota n)
  in i64.sum (opaque (tabulate n (\i ->
       if a
       then xs[if i % 2 == 1 then if b then i else 2 else 0]
       else xs[i + 1])))
