-- Each map of a function with many is a function of its own: it reads what lies outside, and so do the functions of points that fail
-- inside of it.
-- ==
-- input { [1i64, 2i64, 3i64] [5i64, 7i64] 1i64 } output { [7i64, 7i64, 166i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64, 20i64] [5i64, 7i64] 1i64 }
-- output { [7i64, 7i64, 19768550i64, 7i64, 17240312i64, 449622i64, 16789392i64, 219826i64, 16003114i64, 163585i64, 10672919i64, 243480i64, 18615585i64, 362503i64, 15229222i64, 375989i64,
--           13281668i64, 110089i64, 9884451i64, 183i64] }
-- input { empty([0]i64) empty([0]i64) 1i64 } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64] empty([0]i64) 1i64 } error: out of bounds

entry main [n] [m] (xs: [n]i64) (ys: [m]i64) (k: i64) : [n]i64 =
  #[unroll]
  loop xs for _t < 24i64 do
    tabulate n (\i ->
      if i == 3 || i < k * 2
      then ys[i64.min (m - 1) (i64.max 0 (2 + i))]
      else xs[i64.min (n - 1) (i + 2)] + xs[(i * i) % n])
