-- Scatters to places that a scan has counted: outside of the target, in several dimensions, to several
-- targets, and where the scan is wanted elsewhere.

-- | Runs of equal elements: where each begins, and how long it is.
-- ==
-- entry: runs
-- input { [3, 3, 1, 1, 1, 3, 7] }
-- output { [3, 1, 3, 7] [2i64, 3i64, 1i64, 1i64] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i64) }
entry runs [n] (xs: [n]i32) : ([]i32, []i64) =
  let starts = map (\i -> i64.bool (i == 0 || xs[i] != xs[i - 1])) (iota n)
  let upto = scan (+) 0 starts
  let k = if n == 0 then 0 else upto[n - 1]
  let first = scatter (replicate k 0) (map2 (\s c -> if s == 1 then c - 1 else -1) starts upto) xs
  let lengths = reduce_by_index (replicate k 0) (+) 0 (map (\c -> c - 1) upto) (replicate n 1)
  in (first, lengths)

-- | Only what still finds a place is written.
-- ==
-- entry: crowded
-- input { 3i64 [true, false, true, true, false, true] }
-- output { [0i64, 2i64, 3i64] }
-- input { 6i64 [true, false, true, true, false, true] }
-- output { [0i64, 2i64, 3i64, 5i64, -1i64, -1i64] }
-- input { 0i64 [true] }
-- output { empty([0]i64) }
entry crowded [n] (m: i64) (flags: [n]bool) : [m]i64 =
  let upto = scan (+) 0 (map i64.bool flags)
  in scatter (replicate m (-1)) (map2 (\f c -> if f then c - 1 else i64.highest) flags upto) (iota n)

-- | Places of two dimensions, of which each may be outside.
-- ==
-- entry: in_rows
-- input { 2i64 3i64 [1, 2, 1, 2, 1, 20] }
-- output { [[20, 0, 0], [40, 0, 0]] }
entry in_rows [n] (h: i64) (w: i64) (steps: [n]i32) : [h][w]i32 =
  let places = scan (+) 0 (map i64.i32 steps)
  in scatter_2d (replicate h (replicate w 0)) (map (\p -> (p / w - 1, p % w - 1)) places)
                (map (* 10) (map i32.i64 (iota n)))

-- | Two targets.
-- ==
-- entry: both
-- input { [5, -2, 4, -7] }
-- output { [5, 4, 0, 0] [-2, -7, 0, 0] }
entry both [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let up = scan (+) 0 (map (\x -> i64.bool (x > 0)) xs)
  let place i c keep = if keep then c - 1 else n + i
  let (is, js) = unzip (map3 (\i c x -> (place i c (x > 0), place c (i + 1 - c) (x <= 0))) (iota n) up xs)
  in (scatter (replicate n 0) is xs, scatter (replicate n 0) js xs)

-- | In a loop, whose turns exchange both arrays.
-- ==
-- entry: sorted
-- input { [5u8, 255u8, 0u8, 17u8, 5u8, 128u8] }
-- output { [0u8, 5u8, 5u8, 17u8, 128u8, 255u8] }
entry sorted [n] (xs: [n]u8) : [n]u8 =
  loop xs for bit < 8 do
    let ones = map (\x -> i64.i32 (u8.get_bit bit x)) xs
    let upto = scan (+) 0 ones
    let zeros = n - i64.sum ones
    let place i one k = if one == 1 then zeros + k - 1 else i - k
    in scatter (replicate n 0) (map3 place (iota n) ones upto) xs

-- | What is written over is read by the scan: it must come first.
-- ==
-- entry: over
-- input { [1i64, 2i64, 1i64, 3i64, 1i64] }
-- output { [1i64, 100i64, 1i64, 101i64, 102i64] }
entry over [n] (xs: *[n]i64) : [n]i64 =
  let places = scan (+) 0 (copy xs)
  in scatter xs places (map (+ 100) (iota n))
