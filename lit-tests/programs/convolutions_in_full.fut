-- Full convolutions: the window of a point becomes longer from point to point at one end, and shorter at the other.
-- ==
-- entry: same loops sums slices
-- input { [1i32] [5i32] } output { [5i32] }
-- input { [1i32, 2i32, 3i32] [1i32, 0i32, -1i32] } output { [1i32, 2i32, 2i32, -2i32, -3i32] }
-- input { [1i32, 2i32, 3i32, 4i32] [5i32, 6i32, 7i32, 8i32] } output { [5i32, 16i32, 34i32, 60i32, 61i32, 52i32, 32i32] }

-- ==
-- entry: loops sums slices
-- input { [2i32] [3i32, 4i32, 5i32] } output { [6i32, 8i32, 10i32] }
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] [1i32, -1i32] } output { [1i32, 1i32, 1i32, 1i32, 1i32, -5i32] }
-- input { [1i32, -1i32] [1i32, 2i32, 3i32, 4i32, 5i32] } output { [1i32, 1i32, 1i32, 1i32, 1i32, -5i32] }

-- Of long ones, against sums over all products.
-- ==
-- entry: differs
-- input { 100i64 100i64 } output { 0i64 }
-- input { 1i64 300i64 } output { 0i64 }
-- input { 300i64 1i64 } output { 0i64 }
-- input { 33i64 200i64 } output { 0i64 }
-- input { 200i64 65i64 } output { 0i64 }

-- A window that reaches one too far.
-- ==
-- entry: too_far
-- input { [1i32, 2i32, 3i32] [4i32, 5i32, 6i32] 1i64 } error: out of bounds
-- input { [1i32, 2i32, 3i32] [4i32, 5i32, 6i32] 0i64 } output { [4i32, 13i32, 28i32, 27i32, 18i32] }

entry same [n] (a: [n]i32) (b: [n]i32) : []i32 =
  tabulate (n + n - 1) (\k ->
    let lo = i64.max 0 (k - n + 1)
    let hi = i64.min (n - 1) k
    in loop s = 0 for i in lo..<(hi + 1) do s + a[i] * b[k - i])

entry loops [n] [m] (a: [n]i32) (b: [m]i32) : []i32 =
  tabulate (n + m - 1) (\k ->
    let lo = i64.max 0 (k - m + 1)
    let hi = i64.min (n - 1) k
    in loop s = 0 for j < hi - lo + 1 do s + a[lo + j] * b[k - (lo + j)])

entry sums [n] [m] (a: [n]i32) (b: [m]i32) : []i32 =
  tabulate (n + m - 1) (\k ->
    let lo = i64.max 0 (k - m + 1)
    let hi = i64.min n (k + 1)
    in i32.sum (tabulate (hi - lo) (\j -> a[lo + j] * b[k - lo - j])))

entry slices [n] [m] (a: [n]i32) (b: [m]i32) : []i32 =
  tabulate (n + m - 1) (\k ->
    let lo = i64.max 0 (k - m + 1)
    let hi = i64.min n (k + 1)
    in i32.sum (map2 (*) a[lo:hi] (reverse b[k - hi + 1:k - lo + 1])))

entry too_far [n] (a: [n]i32) (b: [n]i32) (more: i64) : []i32 =
  tabulate (n + n - 1) (\k ->
    let lo = i64.max 0 (k - n + 1)
    let hi = i64.min (n - 1) k
    in loop s = 0 for i in lo..<(hi + 1 + more) do s + a[i] * b[k - i])

entry differs (n: i64) (m: i64) : i64 =
  let a = tabulate n (\i -> i32.i64 (i * 7919 % 1013) - 500)
  let b = tabulate m (\i -> i32.i64 (i * 104729 % 977) - 400)
  let all = tabulate (n + m - 1) (\k -> i32.sum (tabulate n (\i -> if k - i >= 0 && k - i < m then a[i] * b[k - i] else 0)))
  let differ xs = i64.sum (map2 (\x y -> if x == y then 0 else 1) xs all)
  in differ (loops a b :> [n + m - 1]i32) + differ (sums a b :> [n + m - 1]i32) + differ (slices a b :> [n + m - 1]i32)
