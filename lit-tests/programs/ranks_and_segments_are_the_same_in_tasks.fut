-- What scans, and writes where the sums say; scans whose flags nobody wants; and histograms of segments.

-- A pass of a radix sort, several sums at a time, and what they come to.
-- ==
-- entry: ranks
-- input { [3u32, 4294967295u32, 7u32, 0u32, 6u32, 7u32, 2u32] }
-- output { [0u32, 6u32, 2u32, 3u32, 4294967295u32, 7u32, 7u32] 4i64 }
-- input { empty([0]u32) }
-- output { empty([0]u32) 0i64 }
entry ranks [n] (xs: [n]u32) : ([n]u32, i64) =
  let ones = map (\x -> i64.u32 (x & 1)) xs
  let upto = scan (+) 0 ones
  let zeros = n - i64.sum ones
  let place i one ones_here = if one == 1 then zeros + ones_here - 1 else i - ones_here
  in (scatter (replicate n 0) (map3 place (iota n) ones upto) xs, i64.sum ones)

-- Places before the array are left out, and operators other than sums.
-- ==
-- entry: records
-- input { [3i32, 1i32, 4i32, 1i32, 5i32, 9i32, 2i32, 6i32] }
-- output { [0i32, 0i32, 0i32, 3i32, 4i32, 5i32, 0i32, 0i32, 0i32, 9i32] }
entry records (xs: []i32) : []i32 =
  let tops = scan i32.max 0 xs
  in scatter (replicate 10 0) (map (\t -> i64.i32 t) tops) tops

-- ==
-- entry: running
-- input { [false, false, true, false, false, true, true, false, false] [1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 7f32, 8f32, 9f32] }
-- output { [1f32, 3f32, 3f32, 7f32, 12f32, 6f32, 7f32, 15f32, 24f32] }
entry running [n] (flags: [n]bool) (xs: [n]f32) : [n]f32 =
  let join (f, x) (g, y) = (f || g, if g then y else x + y)
  in map (.1) (scan join (false, 0) (zip flags xs))

-- Many sums, none of whose beginnings is a multiple of anything.
-- ==
-- entry: many
-- input { 1i64 } output { 0i64 0f64 }
-- input { 100003i64 } output { 2374221i64 4768015f64 }
entry many (n: i64) : (i64, f64) =
  let join (f, x) (g, y) = (f || g, if g then y else x + y)
  let xs = map (\i -> f64.i64 (i * 7919 % 99)) (iota n)
  let ys = map (.1) (scan join (false, 0) (zip (map (\i -> i % 37 == 0) (iota n)) xs))
  let sorted = (ranks (map (\i -> u32.i64 (i * 7919 % 101)) (iota n))).0
  in (i64.sum (map2 (\i x -> (i % 2) * i64.u32 x) (iota n) sorted) * 2 / (1 + i64.bool (n > 1)), f64.sum (map (% 99) ys))

-- ==
-- entry: of_rows
-- input { [[0i64, 1i64, 1i64], [2i64, 2i64, 5i64], [0i64, -1i64, 0i64], [1i64, 1i64, 1i64], [0i64, 1i64, 2i64]] }
-- output { [[1i32, 2i32, 0i32], [0i32, 0i32, 2i32], [2i32, 0i32, 0i32], [0i32, 3i32, 0i32], [1i32, 1i32, 1i32]] }
entry of_rows [n] [m] (rows: [n][m]i64) : [n][3]i32 =
  map (\is -> hist (+) 0i32 3 is (map (const 1) is)) rows

-- Few segments, each of which is cut as well.
-- ==
-- entry: few
-- input { [[0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64], [7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64]] }
-- output { [21i64, 70i64] [[0i64, 1i64, 3i64, 6i64, 10i64, 15i64, 21i64], [7i64, 15i64, 24i64, 34i64, 45i64, 57i64, 70i64]] [6f64, 13f64] }
-- input { [[0i64]] } output { [0i64] [[0i64]] [0f64] }
-- input { empty([0][5]i64) } output { empty([0]i64) empty([0][5]i64) empty([0]f64) }
-- input { empty([3][0]i64) } output { [0i64, 0i64, 0i64] empty([3][0]i64) [0f64, 0f64, 0f64] }
-- input { [[0i64, 1i64], [2i64, 3i64], [4i64, 5i64], [6i64, 7i64], [8i64, 9i64]] }
-- output { [1i64, 5i64, 9i64, 13i64, 17i64] [[0i64, 1i64], [2i64, 5i64], [4i64, 9i64], [6i64, 13i64], [8i64, 17i64]] [1f64, 3f64, 5f64, 7f64, 9f64] }
entry few [n] [m] (xss: [n][m]i64) : ([n]i64, [n][m]i64, [n]f64) =
  (map i64.sum xss, map (scan (+) 0) xss, map (\xs -> reduce f64.max 0 (map f64.i64 xs)) xss)

-- Points with operations inside, which are cut where there are few points: one that fails, what is made for one point
-- alone, loops around, and histograms of segments.
-- ==
-- entry: inside
-- input { [[1i64, 2i64, 3i64, 4i64, 5i64], [5i64, 5i64, 0i64, 1i64, 9i64]] [2i64, 3i64] }
-- output { [[4i64, 6i64, 2i64, 3i64], [0i64, 20i64, 0i64, 0i64]] [[19i64, 38i64, 57i64, 76i64, 95i64], [445i64, 445i64, 0i64, 89i64, 801i64]] [63i64, 109i64] }
-- input { [[1i64, 2i64], [5i64, 5i64]] [2i64, -1i64] }
-- error: Index \[2\] out of bounds
entry inside [n] [m] (xss: [n][m]i64) (ks: [n]i64) : ([n][4]i64, [n][m]i64, [n]i64) =
  let row xs k =
    let ys = loop ys = xs for i < k do
               let top = i64.maximum ys % 7 + i
               in map2 (\y x -> y * top + x) ys xs
    let h = hist (+) 0 4 (map (% 4) xs) xs
    in (h, ys, ys[k] + h[1])
  in unzip3 (map2 row xss ks)

-- The sums do not depend on how many rows are cut at a time.
-- ==
-- entry: long
-- input { 3i64 1000003i64 } output { [500002500003i64, 500002500003i64, 500002500003i64] [1000002i64, 1000002i64, 1000002i64] }
entry long (n: i64) (m: i64) : ([n]i64, [n]i64) =
  let xss = #[opaque] (tabulate_2d n m (\i j -> (j + i) % m))
  in (map i64.sum xss, map (\xs -> i64.maximum (scan i64.max 0 xs)) xss)
