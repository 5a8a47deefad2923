-- Minima and maxima pass over what is no number, wherever it is and whatever the loop over it looks like.
-- ==
-- entry: least
-- input { 0i64 1i64 } output { f32.inf }
-- input { 1i64 1i64 } output { f32.inf }
-- input { 2i64 2i64 } output { 1f32 }
-- input { 63i64 2i64 } output { 1f32 }
-- input { 64i64 1i64 } output { f32.inf }
-- input { 65i64 64i64 } output { 1f32 }
-- input { 1000i64 1i64 } output { f32.inf }
-- input { 1000i64 2i64 } output { 1f32 }
-- input { 1000i64 999i64 } output { 1f32 }
-- input { 5000i64 4097i64 } output { 1f32 }
entry least (n: i64) (k: i64) : f32 =
  reduce f32.min f32.inf (tabulate n (\i -> if i % k == 0 then f32.nan else f32.i64 i))

-- ==
-- entry: greatest_from_none
-- input { 0i64 3i64 } output { f64.nan }
-- input { 1i64 1i64 } output { f64.nan }
-- input { 100i64 1i64 } output { f64.nan }
-- input { 100i64 3i64 } output { 98f64 }
-- input { 5000i64 2i64 } output { 4999f64 }
entry greatest_from_none (n: i64) (k: i64) : f64 =
  reduce f64.max f64.nan (tabulate n (\i -> if i % k == 0 then f64.nan else f64.i64 i))

-- ==
-- entry: greatest_of_rows
-- input { 3i64 7i64 } output { [5f32, 6f32, 5f32] }
-- input { 3i64 40i64 } output { [39f32, 39f32, 39f32] }
-- input { 2i64 1i64 } output { [-f32.inf, 0f32] }
entry greatest_of_rows (n: i64) (m: i64) : []f32 =
  tabulate n (\i -> reduce f32.max (-f32.inf) (tabulate m (\j -> if j % (i + 2) == i then f32.nan else f32.i64 j)))

-- ==
-- entry: both
-- input { 1000i64 3i64 } output { 1f32 998f32 }
-- input { 1000i64 1i64 } output { f32.inf -f32.inf }
entry both (n: i64) (k: i64) : (f32, f32) =
  reduce (\(a, b) (c, d) -> (f32.min a c, f32.max b d)) (f32.inf, -f32.inf)
         (tabulate n (\i -> let x = if i % k == 0 then f32.nan else f32.i64 i in (x, x)))

-- ==
-- entry: running
-- input { 6i64 2i64 } output { [-f32.inf, 1f32, 1f32, 3f32, 3f32, 5f32] }
-- input { 6i64 1i64 } output { [-f32.inf, -f32.inf, -f32.inf, -f32.inf, -f32.inf, -f32.inf] }
entry running (n: i64) (k: i64) : []f32 =
  scan f32.max (-f32.inf) (tabulate n (\i -> if i % k == 0 then f32.nan else f32.i64 i))

-- ==
-- entry: in_turns
-- input { [f32.nan, 3f32, f32.nan, 2f32] } output { 3f32 2f32 }
-- input { empty([0]f32) } output { f32.nan 1000f32 }
-- input { [f32.nan] } output { f32.nan 1000f32 }
entry in_turns [n] (xs: [n]f32) : (f32, f32) =
  loop (a, b) = (f32.nan, 1000) for x in xs do (f32.max x a, f32.min b x)
