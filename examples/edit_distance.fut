-- The Levenshtein distance of two strings, along the anti-diagonals of its table, each of which
-- is one parallel step.
-- ==
-- input { "kitten" "sitting" } output { 3i64 }
-- input { "" "abc" } output { 3i64 }
-- input { "intention" "execution" } output { 5i64 }

entry main [n] [m] (a: [n]u8) (b: [m]u8) : i64 =
  -- diagonal[i] is the entry of row i on the current anti-diagonal, where there is one.
  let (_, final) =
    loop (before, last_) = (replicate (n + 1) 0, replicate (n + 1) 0) for d < n + m do
      let sum = d + 1
      let entry_ i =
        let j = sum - i
        in if j < 0 || j > m
           then 0
           else if i == 0
           then j
           else if j == 0
           then i
           else let change = before[i - 1] + i64.bool (a[i - 1] != b[j - 1])
                in i64.min change (1 + i64.min last_[i] last_[i - 1])
      in (last_, tabulate (n + 1) entry_)
  in if n + m == 0 then 0 else final[n]
