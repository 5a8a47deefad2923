def count (xs: []bool) =
  reduce (\n x -> if x then n + 1 else n) 0 xs
