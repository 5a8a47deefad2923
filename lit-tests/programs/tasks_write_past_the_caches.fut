-- Results beyond the caches, in parts that tasks write, begin and end anywhere; all elements are asked for.
-- ==
-- entry: differences
-- input { 2097153i64 } output { true }
-- input { 3000001i64 } output { true }
-- input { 7i64 } output { true }
entry differences (n: i64) : bool =
  let xs = #[opaque] (map (\i -> i * 3 ^ 5) (iota n))
  let ys = #[opaque] (tabulate n (\i -> xs[i] + xs[(i + 1) % n]))
  in reduce (&&) true (tabulate n (\i -> ys[i] == (i * 3 ^ 5) + ((i + 1) % n * 3 ^ 5)))
