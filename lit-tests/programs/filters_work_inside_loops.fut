-- Arrays that shrink and grow as a loop runs, and partitions of them.
-- ==
-- entry: sieve
-- input { 30i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }

-- ==
-- entry: partitions
-- input { [5, -2, 0, 7, -1] } output { [5, 7] [-2, 0, -1] [5, 7] [0] [-2, -1] }

-- ==
-- entry: selection_sort
-- input { [3, 1, 4, 1, 5, 9, 2, 6] } output { [1, 1, 2, 3, 4, 5, 6, 9] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: collected
-- input { 4i64 } output { [0i64, 0i64, 1i64, 0i64, 1i64, 2i64] 3i64 }

-- ==
-- entry: of_rows
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[3, 4], [5, 6]] [[1, 5]] }

entry sieve (n: i64) : []i64 =
  let (primes, _) =
    loop (primes, rest) = ([], drop 2 (iota n)) while length rest > 0 do
      let p = head rest
      in (primes ++ [p], filter (\x -> x % p != 0) rest)
  in primes

entry partitions [n] (xs: [n]i32) : ([]i32, []i32, []i32, []i32, []i32) =
  let (a, b) = partition (> 0) xs
  let (c, d, e) = partition2 (> 0) (== 0) xs
  in (a, b, c, d, e)

-- Takes the least elements out of the array, over and over.
entry selection_sort [n] (xs: [n]i32) : [n]i32 =
  let (_, sorted) =
    loop (left, sorted) = (xs, []) while length left > 0 do
      let least = i32.minimum left
      let (first, others) = partition (== least) left
      in (others, sorted ++ first)
  in sized n sorted

entry collected (n: i64) : ([]i64, i64) =
  let all = loop all = [] for i < n do all ++ iota i
  in (all, length (filter (== 0) all))

entry of_rows [n] (xss: [n][2]i32) : ([][2]i32, [][]i32) =
  let kept = filter (\xs -> xs[0] > 1) xss
  let columns = filter (\xs -> xs[0] == 1) (transpose xss)
  let half = (n + 1) / 2
  in (kept, map (\c -> sized half c[::2]) columns)
