-- The Levenshtein distance of two strings over an alphabet of four letters (a byte's lowest bits),
-- along the anti-diagonals of its table, each of which is one parallel step.
-- ==
-- random input { [3000]u8 [3000]u8 }
-- input { [0u8, 1u8, 2u8, 3u8] [0u8, 2u8, 2u8, 3u8, 1u8] }
-- output { 2i32 }
-- input { empty([0]u8) [1u8, 2u8] }
-- output { 2i32 }

entry main [n] [m] (a: [n]u8) (b: [m]u8) : i32 =
  let start = replicate (n + 1) 0i32
  -- diagonal[i] is the entry of row i on the current anti-diagonal, where there is one.
  let (_, diagonal) =
    loop (before, previous) = (start, start) for d < n + m do
      let cell i =
        let j = d + 1 - i
        in if j < 0 || j > m
           then 0
           else if i == 0 || j == 0
           then i32.i64 (d + 1)
           else let change = before[i - 1] + i32.bool ((a[i - 1] ^ b[j - 1]) & 3 != 0)
                in i32.min change (1 + i32.min previous[i] previous[i - 1])
      in (previous, tabulate (n + 1) cell)
  in diagonal[n]
