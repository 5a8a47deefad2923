-- `for i < n`, `for x in xs` and `while`, with patterns, shadowing, arrays and nothing to do.
-- ==
-- entry: counted
-- input { 5i32 } output { 10i32 120i64 }
-- input { 0i32 } output { 0i32 1i64 }
-- input { -3i32 } output { 0i32 1i64 }

-- ==
-- entry: elements
-- input { [3, 1, 2] [[1, 2], [3, 4]] } output { 312 [4, 6] 2i64 }

-- ==
-- entry: collatz
-- input { [1i64, 2i64, 3i64, 7i64, 27i64] } output { [0i32, 1i32, 7i32, 16i32, 111i32] }

-- ==
-- entry: first_negative
-- input { [3, 1, -2, 5, -7] } output { 2i64 }
-- input { [3, 1] } output { 2i64 }
-- input { empty([0]i32) } output { 0i64 }

-- ==
-- entry: narrow_counter
-- input { 200u8 } output { 19900i32 }
-- input { 0u8 } output { 0i32 }

-- ==
-- entry: sizes_change
-- input { [1, 2, 3, 4, 5, 6, 7] } output { 28 }
-- input { [5] } output { 5 }

-- ==
-- entry: nested
-- input { 4i64 } output { [[0i64, 0i64, 0i64, 0i64], [0i64, 1i64, 2i64, 3i64], [0i64, 2i64, 4i64, 6i64], [0i64, 3i64, 6i64, 9i64]] }

entry counted (n: i32) : (i32, i64) =
  (loop sum = 0 for i < n do sum + i, loop p = 1 for i < n do p * (i64.i32 i + 1))

entry elements [n] [m] (xs: [n]i32) (xss: [m][2]i32) =
  ( loop acc = 0 for x in xs do acc * 10 + x
  , loop acc = [0, 0] for row in xss do map2 (+) acc row
  , loop n = 0 for (_, _) in zip xss xss do n + 1i64
  )

entry collatz [n] (xs: [n]i64) : [n]i32 =
  let steps x =
    (loop (x, k) = (x, 0) while x != 1 do
       (if x % 2 == 0 then x / 2 else 3 * x + 1, k + 1)).1
  in map steps xs

-- The condition guards the index, so that the loop may end early without looking too far.
entry first_negative [n] (xs: [n]i32) : i64 =
  loop i = 0 while i < n && xs[i] >= 0 do i + 1

entry narrow_counter (n: u8) : i32 =
  loop sum = 0 for i < n do sum + i32.u8 i

-- Halves the array until one element is left.
entry sizes_change (xs: []i32) : i32 =
  let folded =
    loop xs while length xs > 1 do
      let half = (length xs + 1) / 2
      in map (\i -> if i + half < length xs then xs[i] + xs[i + half] else xs[i]) (iota half)
  in folded[0]

entry nested (n: i64) : [n][n]i64 =
  loop table = replicate n (replicate n 0) for i < n do
    loop table for j < n do
      table with [i, j] = i * j
