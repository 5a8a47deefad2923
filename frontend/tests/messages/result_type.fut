def is_even (x: i64) : i64 =
  let rest = x % 2
  in rest == 0
