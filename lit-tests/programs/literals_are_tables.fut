-- Long array literals: of constants of every width, with a variable among them, as rows, in
-- functions that run in parallel, and updated in place.
-- ==
-- entry: widths
-- input { 3i64 } output { -4i8 40000u16 2000000003i32 -4000000000i64 1.5f16 -0.25f32 1e300f64 true }
-- input { 17i64 } output { -18i8 40014u16 2000000017i32 -18000000000i64 15.5f16 -14.25f32 1e17f64 false }
-- input { 18i64 } error: out of bounds

-- ==
-- entry: mixed
-- input { 100 } output { [100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] 253 }

-- ==
-- entry: rows
-- input { [1i64, 0, 1] } output { [153, 0, 153] [2, 20, 2] }

-- ==
-- entry: updated
-- input { 5i64 7 } output { [0, 1, 2, 3, 4, 7, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] 5 }

entry widths (i: i64) =
  let a = [-1i8, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16, -17, -18]
  let b = [39997u16, 39998, 39999, 40000, 40001, 40002, 40003, 40004, 40005, 40006, 40007, 40008,
           40009, 40010, 40011, 40012, 40013, 40014]
  let c = [2000000000i32, 2000000001, 2000000002, 2000000003, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
           16, 2000000017]
  let d = [-1000000000i64, -2000000000, -3000000000, -4000000000, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
           16, 17, -18000000000]
  let e = [0f16, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15.5]
  let f = [0f32, -0.5, -1, -0.25, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -14.25]
  let g = [0f64, 1, 2, 1e300, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1e17]
  let h = [false, false, false, true, true, true, true, true, true, true, true, true, true, true, true,
           true, true, false]
  in (a[i], b[i], c[i], d[i], e[i], f[i], g[i], h[i])

entry mixed (x: i32) =
  let xs = [x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
  in (xs, i32.sum xs)

def table : [2][18]i32 =
  [ [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  , [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] ]

entry rows [n] (is: [n]i64) =
  let sums = map (\i -> i32.sum table[i]) is
  let own = map (\i -> let t = [20i32, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
                       in t[i]) is
  in (sums, own)

entry updated (i: i64) (x: i32) =
  let t = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17i32]
  let u = copy t with [i] = x
  in (u, t[i])
