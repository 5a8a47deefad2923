def total (xs: []i32) =
  let sum: i64 = reduce (+) 0 xs
  in sum
