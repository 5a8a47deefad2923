-- Minima and maxima of what counts: the first ones are of constants.
-- ==
-- entry: least
-- input { 5i64 } output { 0f32 4f32 0f64 4f64 }
-- input { 1000i64 } output { 0f32 999f32 0f64 999f64 }
-- input { 0i64 } output { f32.inf -f32.inf f64.inf -f64.inf }

entry least (n: i64) : (f32, f32, f64, f64) =
  (reduce_comm f32.min f32.inf (tabulate n f32.i64), reduce_comm f32.max (-f32.inf) (tabulate n f32.i64),
   reduce_comm f64.min f64.inf (tabulate n f64.i64), reduce_comm f64.max (-f64.inf) (tabulate n f64.i64))

-- ==
-- entry: only_least
-- input { [6i32] } output { 0f32 }
-- input { empty([0]i32) } output { f32.inf }

entry only_least [n] (_: [n]i32) : f32 = reduce_comm f32.min f32.inf (tabulate n f32.i64)
