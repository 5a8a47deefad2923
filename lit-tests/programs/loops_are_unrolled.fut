-- Unrolled or not, loops yield the same.
-- ==
-- entry: horner
-- input { 2 } output { 46 }
-- input { -1 } output { 4 }

-- ==
-- entry: never
-- input { 5 } output { 5 }

-- ==
-- entry: schedule
-- input { [1u32, 2u32, 3u32, 4u32] } output { [1u32, 2u32, 3u32, 4u32, 7u32, 12u32, 22u32, 39u32] }

-- ==
-- entry: doubling
-- input { [1, 2] } output { [1, 2, 1, 2, 1, 2, 1, 2] }

-- ==
-- entry: outside
-- input { [1, 2] } error: Index \[2\] out of bounds for array of shape \[2\]

-- ==
-- entry: folded
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[3, 8, 15], [24, 35, 48]] }

entry horner (x: i32) : i32 =
  let coefficients = [3, 4, 1, 4]
  in #[unroll] loop y = 0 for i in 0..1...3 do y * x + coefficients[i]

entry never (x: i32) : i32 = #[unroll] loop y = x for i < 0 do y / i32.i64 i

entry schedule (block: [4]u32) : [8]u32 =
  #[unroll] loop w = block ++ replicate 4 0 :> [8]u32 for i in 4..<8 do
    w with [i] = w[i - 1] + w[i - 2] + (if i % 2 == 0 then 0 else w[i - 4]) + u32.bool (i > 6)
                 - u32.bool (i == 5) + w[i - 4] * u32.bool (i == 6)

entry doubling [n] (xs: [n]i32) : []i32 = #[unroll] loop ys = xs for _i < 2 do ys ++ ys

entry outside [n] (xs: [n]i32) : i32 = #[unroll] loop s = 0 for i < 3 do s + xs[i]

entry folded [n] (xss: [n][3]i32) : [n][3]i32 =
  let change xs =
    #[unroll] loop ys = copy xs for i < 3 do
      let y = #[unroll] loop t = ys[i] for j < 3 do if j == i then t * (t + 2) else t + ys[j] * 0
      in ys with [i] = y
  in map change xss
