-- Arrays that change places in every round stay two arrays: one may be changed, the other read.
-- ==
-- entry: places
-- input { [1, 2, 3] 0i64 }
-- output { [1, 2, 3] [70, 4, 6] }
-- input { [1, 2, 3] 3i64 }
-- output { [2, 4, 6] [70, 2, 3] }

entry places [n] (xs: [n]i32) (rounds: i64) : ([n]i32, [n]i32) =
  let (a, b) =
    loop (a: *[n]i32, b: *[n]i32) = (copy xs, map (* 2) xs) for _i < rounds do (b, a)
  let b = b with [0] = 70
  in (a, b)
