def sign (x: i32) =
  if x < 0 then "minus" else if x > 0 then "plus" else false
