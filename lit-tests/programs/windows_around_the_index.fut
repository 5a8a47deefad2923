-- Windows that are cut off at the ends of an array have one length in the middle, so that nothing is checked there. All is
-- compared with windows whose every index is asked about.
-- ==
-- entry: agree
-- input { 0i64 45i64 } output { [true, true, true, true, true, true] }
-- input { 300i64 303i64 } output { [true, true, true, true, true, true] }

entry agree (from: i64) (to: i64) : []bool =
  loop ok = replicate 6 true for k < to - from do
  let n = from + k
  let xs = tabulate n (\i -> i32.i64 (i * i % 23 - 9))
  let over (r: i64) =
    let m = n - 1
    let window f = tabulate n (\j -> f (i64.max 0 (j - r)) (i64.min n (j + r + 1)))
    let each op ne =
      tabulate n (\j -> loop acc = ne for d < 2 * r + 1 do
                        let x = j - r + d in if x >= 0 && x < n then acc `op` xs[x] else acc)
    let same a b = and (map2 (==) a b)
    let trailing =
      tabulate n (\j -> (xs[j] - (if j >= r then xs[j - r] else 0)) / i32.i64 (i64.min (r + 1) (j + 1)))
    let trailing' =
      tabulate n (\j -> let w = if j < r then j + 1 else r + 1
                        let before = if j < r then 0 else xs[j - r]
                        in (xs[j] - before) / i32.i64 w)
    in [ same (window (\a b -> loop s = 0 for i < b - a do s + xs[a + i])) (each (+) 0)
       , same (tabulate n (\j -> loop s = i32.lowest for x in i64.max 0 (j - r)...i64.min m (j + r) do i32.max s xs[x]))
              (each i32.max i32.lowest)
       , same (window (\a b -> reduce i32.max i32.lowest xs[a:b])) (each i32.max i32.lowest)
       , same (window (\a b -> i32.sum (map (\i -> xs[i] * i32.i64 (i - a)) (a..<b))))
              (tabulate n (\j -> let a = if j < r then 0 else j - r
                                 in loop s = 0 for d < 2 * r + 1 do
                                    let x = j - r + d in if x >= 0 && x < n then s + xs[x] * i32.i64 (x - a) else s))
       , same trailing trailing'
       , same (tabulate n (\j -> let a = i64.max 0 (j - r) in loop s = 0 for i < j + 1 - a do s * 3 + xs[a + i]))
              (tabulate n (\j -> loop s = 0 for d < r + 1 do
                                 let x = j - r + d in if x >= 0 then s * 3 + xs[x] else s))
       ]
  in map2 (&&) ok (loop all = replicate 6 true for r in [0, 1, 2, 5, 20, n + 1] do map2 (&&) all (over r))

-- What reaches too far to one side fails at the first such point.
-- ==
-- entry: fails
-- input { 1i64 2i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- error: Index \[20\] out of bounds
-- input { 3i64 -1i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- output { [1, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57] }
-- input { 9223372036854775807i64 -1i64 [1, 2, 3] } output { [1, 3, 6] }
-- input { -9223372036854775807i64 -1i64 [1, 2, 3] } output { [1, 3, 6] }
-- input { -3i64 0i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- output { [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }

entry fails [n] (r: i64) (s: i64) (xs: [n]i32) : [n]i32 =
  tabulate n (\j -> let a = i64.max 0 (j - r + 1) in loop t = 0 for i < j + s + 2 - a do t + xs[a + i])
