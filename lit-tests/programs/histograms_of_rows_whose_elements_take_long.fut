-- How long an element takes may depend on the element: then it is not known before the histogram.
-- ==
-- entry: maxima
-- input { 6i64 3i64 } output { [[3i32, 3i32], [4i32, 2i32], [5i32, 2i32]] }
-- input { 0i64 2i64 } output { [[3i32, 2i32], [3i32, 2i32]] }

entry maxima (n: i64) (k: i64) : [k][2]i32 =
  let weights = map i32.i64 (iota n)
  let bucket i = (reduce i64.max 0 (map i64.i32 weights[:i]) + 1) % k
  in reduce_by_index (tabulate k (\_ -> [3, 2])) (map2 i32.max) [i32.lowest, i32.lowest]
                     (map bucket (iota n))
                     (map (\i -> [i32.i64 i, i32.i64 (i % 4)]) (iota n))
