-- Lanes that are in a loop have gone through as many rounds, so counters there are scalars, whatever lane
-- has left it: each lane has the count that it left with.
-- ==
-- entry: prefixes
-- input { [1u8, 2u8, 3u8, 1u8, 2u8, 3u8, 4u8, 1u8, 1u8, 2u8, 3u8, 1u8, 2u8, 4u8, 1u8, 2u8, 3u8, 1u8, 2u8, 3u8] [1u8, 2u8, 3u8] }
-- output { [3i64, 0i64, 0i64, 3i64, 0i64, 0i64, 0i64, 1i64, 3i64, 0i64, 0i64, 2i64, 0i64, 0i64, 3i64, 0i64, 0i64, 3i64] }
-- input { [1u8, 1u8] empty([0]u8) } output { [0i64, 0i64, 0i64] }

-- ==
-- entry: agree
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 15i64 } output { true }
-- input { 17i64 } output { true }
-- input { 200i64 } output { true }

-- ==
-- entry: beyond
-- input { [1i32, 5i32, 2i32, 1i32] 3i64 40i64 } output { 80i64 }
-- input { [1i32, 5i32, 2i32, 1i32] 9i64 40i64 } error: Index \[4\] out of bounds for array of shape \[4\]
-- input { [1i32, 5i32, 2i32, 1i32] 9i64 0i64 } output { 0i64 }
-- input { empty([0]i32) 1i64 20i64 } error: Index \[0\] out of bounds for array of shape \[0\]

-- How much of a pattern stands at each place.
entry prefixes [n] [m] (text: [n]u8) (pattern: [m]u8) : []i64 =
  tabulate (n - m + 1) (\i -> loop k = 0 while k < m && text[i + k] == pattern[k] do k + 1)

-- Counters up, down, by other steps, from the point's own index, floats, and what is left of each.
def point (i: i64) : (i64, i64, i64, i32, f32, i64, i64) =
  let (x, up, down, own, small, float, twice, _) =
    loop (x, up, down, own, small, float, twice, odd) = (i, 0, 100, i, 3, 0.5f32, 1, true)
    while x % 7 != 3 && up < 50 do
      (x * 5 + 1, up + 1, down - 3, own + up, small + 2, float * 2, twice * 2 + i32.bool odd, !odd)
  in (x, up, down + own, small, float, i64.i32 twice, own)

entry agree (n: i64) : bool =
  let together = tabulate n point
  let alone = loop xs = replicate n (0, 0, 0, 0, 0, 0, 0) for i < n do xs with [i] = #[noinline] point i
  in and (map2 (==) together alone)

-- A check of what is the same in all lanes that are left.
entry beyond [n] (xs: [n]i32) (most: i64) (points: i64) : i64 =
  i64.sum (tabulate points (\i ->
    loop k = 0 while k < most && (xs[k] + i32.i64 (i % 4)) % 4 != 3 do k + 1))
