-- Products of sizes are checked before they are sizes. The interpreter has all arrays in memory, and so
-- cannot have these.
-- ==
-- tags { no_interpreter }
-- entry: flat
-- input { 3i64 2i64 } output { 6i64 }
-- input { 0i64 9223372036854775807i64 } output { 0i64 }
-- input { 4294967296i64 4294967296i64 } error: Cannot flatten
-- input { 4294967299i64 8198552916876503726i64 } error: Cannot flatten
-- input { 4294967296i64 2147483648i64 } error: Cannot flatten

entry flat (n: i64) (m: i64) = length (map (\_ -> 1i32) (flatten (replicate n (replicate m 0i8))))
