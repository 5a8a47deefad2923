-- Filters of ranges, partitions, and counts of what is kept: of nothing, all and some.
-- ==
-- entry: upto
-- input { 1i64 } error: Range
-- input { 2i64 } output { [2i64] }
-- input { 4i64 } output { [2i64, 3i64] }
-- input { 8i64 } output { [2i64, 3i64, 5i64, 6i64, 8i64] }

-- ==
-- entry: between
-- input { 3i64 3i64 } output { empty([0]i64) empty([0]i32) }
-- input { 3i64 2i64 } error: Range
-- input { 1i64 2i64 } output { empty([0]i64) empty([0]i32) }
-- input { -3i64 4i64 } output { [-3i64, -1i64, 0i64, 2i64, 3i64] [-3i32, -1i32, 0i32, 2i32, 3i32] }

-- ==
-- entry: steps
-- input { 10i64 7i64 -3i64 } output { [10i64, 7i64, 4i64, 1i64, -2i64] }
-- input { 1i64 3i64 9i64 } output { [1i64, 7i64] }
-- input { 1i64 1i64 9i64 } error: Range

-- ==
-- entry: two_parts
-- input { empty([0]f32) } output { empty([0]f32) empty([0]f32) }
-- input { [0.75f32, 0.875f32] } output { [0.75f32, 0.875f32] empty([0]f32) }
-- input { [0.25f32, 0.5f32] } output { empty([0]f32) [0.25f32, 0.5f32] }
-- input { [0.25f32, 0.75f32, 0.5f32, 1f32] } output { [0.75f32, 1f32] [0.25f32, 0.5f32] }

-- ==
-- entry: three_parts
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) }
-- input { [3, 4] } output { [3, 4] empty([0]i32) empty([0]i32) }
-- input { [0, 0] } output { empty([0]i32) [0, 0] empty([0]i32) }
-- input { [-1] } output { empty([0]i32) empty([0]i32) [-1] }
-- input { [5, -2, 0, 7, -1, 0] } output { [5, 7] [0, 0] [-2, -1] }

-- ==
-- entry: of_pairs
-- input { [3, -4, 5] [1i64, 2i64, 3i64] } output { [3, 5] [1i64, 3i64] [-4] [2i64] }

-- ==
-- entry: indexes
-- input { [true, false, false, true] } output { [0i64, 3i64] [1i64, 2i64] }
-- input { empty([0]bool) } output { empty([0]i64) empty([0]i64) }

-- ==
-- entry: put_together
-- input { [4, 1, 3, 2] } output { [4, 2, 1, 3] [4, 2, 1, 3] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }

-- ==
-- entry: rows
-- input { [[1, 2, 3], [-1, -2, -3], [4, -5, 6]] } output { [3i64, 0i64, 2i64] [6, 0, 10] [0, -6, -5] }
-- input { empty([0][3]i32) } output { empty([0]i64) empty([0]i32) empty([0]i32) }

-- ==
-- entry: consumed
-- input { [5, -2, 0, 7] } output { [9, 7] [-2, 0] }

-- ==
-- entry: counted
-- input { empty([0]i32) } output { 0i64 0i64 }
-- input { [1, 2] } output { 0i64 0i64 }
-- input { [3, 10, 17] } output { 3i64 3i64 }
-- input { [3, 4, 10, 5] } output { 2i64 2i64 }

-- ==
-- entry: last_of_scans
-- input { [1, 2, 3] } output { 6 24 [12, 12, 12] }
-- input { [7] } output { 7 28 [14] }
-- input { empty([0]i32) } error: .

-- ==
-- entry: quicksort
-- input { [3, 1, 4, 1, 5, 9, 2, 6] } output { [1, 1, 2, 3, 4, 5, 6, 9] }
-- input { empty([0]i32) } output { empty([0]i32) }

entry upto (n: i64) : []i64 = filter (\i -> i % 3 != 1) (2...n)

entry between (a: i64) (b: i64) : ([]i64, []i32) =
  let wanted i = i % 3 != 1
  in (filter wanted (a..<b), filter (\i -> wanted (i64.i32 i)) (i32.i64 a..<i32.i64 b))

entry steps (a: i64) (s: i64) (b: i64) : []i64 = filter (\i -> i % 3 == 1) (a..s...b)

entry two_parts (xs: []f32) : ([]f32, []f32) = partition (> 0.5) xs

entry three_parts (xs: []i32) : ([]i32, []i32, []i32) = partition2 (> 0) (== 0) xs

entry of_pairs [n] (xs: [n]i32) (ys: [n]i64) : ([]i32, []i64, []i32, []i64) =
  let (ps, qs) = partition (\(x, _) -> x > 0) (zip xs ys)
  let (a, b) = unzip ps
  let (c, d) = unzip qs
  in (a, b, c, d)

entry indexes [n] (bs: [n]bool) : ([]i64, []i64) = partition (\i -> bs[i]) (iota n)

-- The parts one behind the other, by the prelude and by hand.
entry put_together [n] (xs: [n]i32) : ([]i32, [n]i32) =
  let even (x: i32) = x % 2 == 0
  let (a, b) = partition even xs
  let flags = map even xs
  let upto = scan (+) 0 (map i64.bool flags)
  let k = if n == 0 then 0 else upto[n - 1]
  let places = map3 (\f c i -> if f then c - 1 else k + i - c) flags upto (iota n)
  in (a ++ b, scatter (replicate n 0) places xs)

entry rows [n][m] (xss: [n][m]i32) : ([n]i64, [n]i32, [n]i32) =
  unzip3 (map (\xs -> let (a, b) = partition (> 0) xs
                      in (length a, i32.sum a, i32.sum b)) xss)

entry consumed (xs: []i32) : ([]i32, []i32) =
  let (a, b) = partition (> 0) xs
  in (copy a with [0] = 9, b)

entry counted (xs: []i32) : (i64, i64) =
  let n = length (filter (\x -> x % 7 == 3) xs)
  in (n, length (filter (\x -> x % 7 == 3) xs))

-- Scalars, and rows, of which there are as many as elements.
entry last_of_scans [n] (xs: [n]i32) : (i32, i32, [n]i32) =
  let xss = map (\i -> replicate n i) xs
  let sums = scan (map2 (+)) (replicate n 0) (map (map (* 2)) xss)
  in (last (scan (+) 0 xs), last (map (* 4) (scan (+) 0 xs)), last sums)

entry quicksort (xs: []i32) : []i32 =
  let (sorted, _) =
    loop (done, todo) = ([], xs) while length todo > 0 do
      let pivot = i32.minimum todo
      let (_, equal, rest) = partition2 (< pivot) (== pivot) todo
      in (done ++ equal, rest)
  in sorted
