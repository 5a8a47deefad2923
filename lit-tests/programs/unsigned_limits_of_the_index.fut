-- Unsigned comparisons of differences with the index: before the limit that one of them sets, the difference is negative, which is large.
-- ==
-- entry: above
-- input { 30i64 10i64 } output { [0i64, 10i64, 20i64, 30i64, 40i64, 50i64, 60i64, 70i64, 80i64, 90i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 160i64, 170i64, 180i64, 190i64, 200i64, 210i64, 220i64, 230i64, 240i64, 250i64, 260i64, 270i64, 280i64, 290i64] }

-- ==
-- entry: below
-- input { 30i64 10i64 } output { [0i64, 10i64, 20i64, 30i64, 40i64, 50i64, 60i64, 0i64, 0i64, 0i64, 100i64, 110i64, 120i64, 130i64, 140i64, 150i64, 160i64, 170i64, 180i64, 190i64, 200i64, 210i64, 220i64, 230i64, 240i64, 250i64, 260i64, 270i64, 280i64, 290i64] }

entry above (n: i64) (k: i64) : [n]i64 =
  tabulate n (\i -> if 5 < u64.i64 (i - k) then (iota n)[i] * 3 + i * 7 else 0)

entry below (n: i64) (k: i64) : [n]i64 =
  tabulate n (\i -> if u64.i64 (i - k) < u64.i64 (i - k + 3) then (iota n)[i] * 3 + i * 7 else 0)
