-- Arrays whose rows have one element, of which many are reduced: what is read ahead lies along the rows' dimension, not in a row.
-- ==
-- entry: last_that_is_not_zero
-- input { 0i64 3i64 } output { [0u16] }
-- input { 5i64 3i64 } output { [4u16] }
-- input { 5000i64 3i64 } output { [4999u16] }
entry last_that_is_not_zero (n: i64) (k: i64) : [1]u16 =
  reduce (\(a: [1]u16) (b: [1]u16) -> if any (!= 0) b then b else a) (replicate 1i64 0)
         (scan (map2 (+)) (replicate 1 0u16) (tabulate n (\i -> [u16.bool (i > 0 && k > 0)])))

-- ==
-- entry: sum
-- input { 3000i64 } output { [4498500i64] 2999f32 }
-- input { 0i64 } output { [0i64] -1f32 }
entry sum (n: i64) : ([1]i64, f32) =
  let xs = map (\i -> [i]) (iota n)
  let ys = map (\x -> [f32.i64 x]) (iota n)
  in (reduce (map2 (+)) (replicate 1 0) xs, reduce f32.max (-1) (map (\y -> y[0]) ys))
