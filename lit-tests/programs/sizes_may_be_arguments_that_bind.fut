-- Arguments that bind something cannot be sizes of results, which are unknown then: also in local functions.
-- ==
-- entry: bound
-- input { 3i64 } output { 3i64 }

-- ==
-- entry: folded
-- input { 3i64 } output { 28i64 }

-- ==
-- entry: chosen
-- input { 3i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- input { -1i64 } output { empty([0]i64) }

entry bound (x: i64) : i64 =
  let h (y: i64) = length (iota (let z = y in z))
  in h x

entry folded (x: i64) : i64 =
  let h (y: i64) = i64.sum (iota (reduce (\p q -> p * q) 1 (replicate y 2)))
  in h x

entry chosen (x: i64) : []i64 =
  let h (y: i64) =
    iota (match y
          case -1 -> 0
          case n -> n + 1)
  in h x
