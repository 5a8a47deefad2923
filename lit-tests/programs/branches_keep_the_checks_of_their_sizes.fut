-- Both branches have a size that reduces to the same thing: the size outlives the branches, and
-- must outlive them with its check.
-- ==
-- entry: same
-- input { 4i64 true } output { [3i64, 3i64, 3i64, 5i64] }
-- input { 5i64 false } output { [3i64, 3i64, 3i64, 3i64, 5i64] }
-- input { 0i64 true } error: invalid|Negative size
-- input { 0i64 false } error: invalid|Negative size

entry same (x: i64) (c: bool) : []i64 =
  let k = x % 9
  in map (\_ -> 3i64) (if c then iota (k - 1) else iota (k + 0 - 1)) ++ [5]

-- ==
-- entry: constant
-- input { true } error: invalid|Negative size
-- input { false } error: invalid|Negative size

entry constant (c: bool) : []i64 =
  let k = 30 % 5
  in map (\_ -> 3i64) (if c then iota (k % 40 - 1) else iota (k % 9 - 1)) ++ [5]

-- The same of a loop, and of a function.
-- ==
-- entry: rounds
-- input { 4i64 1i64 } output { [3i64, 3i64, 3i64, 5i64] }
-- input { 0i64 1i64 } error: invalid|Negative size
-- input { 4i64 0i64 } output { [3i64, 3i64, 3i64, 5i64] }
-- input { 0i64 0i64 } error: invalid|Negative size

entry rounds (k: i64) (n: i64) : []i64 =
  map (\_ -> 3i64) (loop xs = iota (k - 1) for _i < n do iota (k - 1)) ++ [5]

#[noinline]
def below (k: i64) : []i64 = iota (k - 1)

-- ==
-- entry: called
-- input { 4i64 } output { [3i64, 3i64, 3i64, 5i64] }
-- input { 0i64 } error: invalid|Negative size

entry called (k: i64) : []i64 = map (\_ -> 3i64) (below k) ++ [5]
