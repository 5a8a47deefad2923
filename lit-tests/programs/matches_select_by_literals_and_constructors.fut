-- Patterns of literals, constructors within constructors, records, tuples, and wildcards.
-- ==
-- entry: literals
-- input { [0, 1, -5, 7, 100] } output { [10, 20, 30, 40, 50] }

-- ==
-- entry: characters
-- input { "a+9 " } output { [1, 2, 3, 0] }

-- ==
-- entry: evaluated
-- input { 3i32 } output { 3i32 9i32 -9i32 12i32 }

-- ==
-- entry: pairs
-- input { [true, true, false, false] [1, 0, 1, 0] } output { [1, 2, 3, 3] }

-- ==
-- entry: floats
-- input { [0.0f32, -0.0f32, 1.5f32, f32.nan] } output { [1, 1, 2, 3] }

-- ==
-- entry: first_that_fits
-- input { 1i32 2i32 } output { 12i32 }
-- input { 1i32 3i32 } output { 10i32 }
-- input { 5i32 2i32 } output { 2i32 }
-- input { 5i32 5i32 } output { 0i32 }

entry literals [n] (xs: [n]i32) : [n]i32 =
  map (\x -> match x
             case 0 -> 10
             case 1 -> 20
             case -5 -> 30
             case 7 -> 40
             case _ -> 50)
      xs

entry characters [n] (s: [n]u8) : [n]i32 =
  map (\c -> match c case 'a' -> 1 case '+' -> 2 case '9' -> 3 case _ -> 0) s

type value = #int i32 | #pair {x: i32, y: i32} | #none
type term = #const value | #negate value | #sum (value, value)

def value_of (v: value) : i32 =
  match v
  case #int i -> i
  case #pair {x, y} -> x * y
  case #none -> 0

def eval (t: term) : i32 =
  match t
  case #const (#int i) -> i
  case #const v -> value_of v
  case #negate (#pair {x = 0, y = _}) -> 0
  case #negate v -> -(value_of v)
  case #sum (#none, v) -> value_of v
  case #sum (v, #none) -> value_of v
  case #sum (#int a, #int b) -> a + b
  case #sum (a, b) -> value_of a + value_of b

entry evaluated (n: i32) : (i32, i32, i32, i32) =
  let square : value = #pair {x = n, y = n}
  in ( eval (#const (#int n))
     , eval (#sum (#none, square))
     , eval (#negate square)
     , eval (#sum (#int n, square))
     )

entry pairs [n] (bs: [n]bool) (xs: [n]i32) : [n]i32 =
  map2 (\b x -> match (b, x) case (true, 1) -> 1 case (true, _) -> 2 case (false, _) -> 3) bs xs

entry floats [n] (xs: [n]f32) : [n]i32 =
  map (\x -> match x case 0.0 -> 1 case 1.5 -> 2 case _ -> 3) xs

entry first_that_fits (a: i32) (b: i32) : i32 =
  match {a, b}
  case {a = 1, b = 2} -> 12
  case {a = 1, b = _} -> 10
  case {a = _, b = 2} -> 2
  case _ -> 0
