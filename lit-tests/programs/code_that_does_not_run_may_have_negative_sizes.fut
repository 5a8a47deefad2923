-- An array whose size is known to be negative stands in a branch that is never taken.
-- ==
-- input { 0i64 } output { 0i64 }
-- input { -3i64 } output { 0i64 }

entry main (n: i64) : i64 =
  if n > 0 then (let a = opaque (replicate (-2) n) in a[n]) else 0
