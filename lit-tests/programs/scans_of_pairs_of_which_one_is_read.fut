-- Rows are scanned by pairs, of which nobody reads the first: it has no place, and does not leave the version for few long rows.
-- ==
-- input { 0i64 } output { empty([0][0]i64) }
-- input { 1i64 } output { [[0i64]] }
-- input { 3i64 } output { [[0i64, 1i64, 5i64], [0i64, 1i64, 5i64], [0i64, 1i64, 5i64]] }
entry main (n: i64) : [n][n]i64 =
  map (\_ -> iota n
             |> map (\i -> (i, i))
             |> scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0)
             |> map (.1)
             |> scan (+) 0)
      (iota n)
