def prefix (c: bool) (n: i64) (m: i64) : [n]i64 =
  if c then iota n else iota m
