-- The type of the first of these is, written out, of 2^300 parts.
-- ==
-- input { 42 }
-- output { 42 }

entry main (x: i32): i32 =
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id id
  id id id id id id id id id id id id id id id id id id id id id x
