-- Loops over nearly all of a row: points go in strips, whose rows are transposed.
-- ==
-- entry: from_second
-- input { 0i64 3i64 } output { 0i64 }
-- input { 40i64 0i64 } output { 40i64 }
-- input { 40i64 1i64 } output { 40i64 }
-- input { 3i64 5i64 } output { 10423i64 }
-- input { 37i64 9i64 } output { 138521i64 }
entry from_second (n: i64) (m: i64) : i64 =
  let xs = tabulate_2d n m (\i j -> (i * 7 + j * 3) % 11)
  let rows = map (\x -> loop a = 1 for k in 1..<i64.max 1 m do (a * 13 + x[k]) % 10007) xs
  in reduce (\a b -> a + b) 0 rows

-- ==
-- entry: differences
-- input { 35i64 2i64 } output { 90425i64 }
-- input { 50i64 12i64 } output { 284415i64 }
entry differences (n: i64) (m: i64) : i64 =
  let xs = tabulate_2d n m (\i j -> (i * 7 + j * 3) % 11)
  in i64.sum (map (\x -> loop a = 0 for k < m - 1 do (a * 13 + x[k + 1] * 3 - x[k]) % 10007) xs)
