-- Points whose loops put rows and arrays of their own together, by lanes.
-- ==
-- entry: main
-- random input { [100][3][4]u32 } auto output
-- entry: nested
-- random input { [70][2][2][3]i32 } auto output

entry main [n][b] (xss: [n][b][4]u32) : [n][4]u32 =
  let step (h: [4]u32) (row: [4]u32) : [4]u32 =
    let w = #[unroll] loop w = row ++ replicate 4 1 ++ h :> [12]u32 for i in 4..<8 do
      w with [i] = w[i - 4] * 31 + (w[i - 1] >> 3) + w[i + 4]
    in [w[4] + h[0], w[5] ^ h[1], w[6], w[7] - h[3]]
  in #[schedule(lanes)] map (foldl step [1, 2, 3, 4]) xss

entry nested [n][b] (xsss: [n][b][2][3]i32) : [n]i32 =
  let step (h: i32) (m: [2][3]i32) : i32 =
    let both = m ++ [[h, 1, 2]] :> [3][3]i32
    in loop h for i < 3 do h * 7 + both[i, h & 1] + both[2 - i, 2]
  in #[schedule(lanes)] map (foldl step 5) xsss
