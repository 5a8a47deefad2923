-- Branches that make one constructor over arrays of different sizes; constructors not used.
-- ==
-- entry: both
-- input { true 3i64 5i64 } output { 3i64 3i64 }
-- input { false 3i64 5i64 } output { 10i64 5i64 }

-- ==
-- entry: three
-- input { 0i32 3i64 5i64 } output { 3i64 }
-- input { 1i32 3i64 5i64 } output { 10i64 }
-- input { 2i32 3i64 5i64 } output { -1i64 }

-- ==
-- entry: inside
-- input { true 3i64 5i64 } output { 17i64 }
-- input { false 3i64 5i64 } output { 41i64 }

-- ==
-- entry: hidden
-- input { 4i64 } output { 10i64 }

type option [n] = #some ([n]i64) | #none

def sum [n] (x: option [n]) : i64 =
  match x
  case #some xs -> i64.sum xs
  case #none -> -1

def choose (c: bool) (n: i64) (m: i64) : ?[k].option [k] =
  if c then #some (iota n) else #some (iota m)

entry both (c: bool) (n: i64) (m: i64) : (i64, i64) =
  let x = choose c n m
  in match x
     case #some xs -> (sum x, length xs)
     case #none -> (0, 0)

def choose3 (i: i32) (n: i64) (m: i64) : ?[k].option [k] =
  match i
  case 0 -> #some (iota n)
  case 1 -> #some (iota m)
  case _ -> #none

entry three (i: i32) (n: i64) (m: i64) : i64 = sum (choose3 i n m)

def pair (c: bool) (n: i64) (m: i64) : ?[k].{o: option [k], xs: [k]i64, t: [2](option [k])} =
  if c
  then {o = #some (iota n), xs = replicate n 1, t = replicate 2 (#some (iota n))}
  else {o = #some (iota m), xs = replicate m 1, t = [#none, #some (iota m)]}

entry inside (c: bool) (n: i64) (m: i64) : i64 =
  let r = pair c n m
  let ones = i64.sum r.xs
  in 3 * sum r.o + ones + sum r.t[0] + sum r.t[1] + (if c then -1 else -3)

module m
  : {
      type~ t
      val make : i64 -> t
      val sum : t -> i64
    } = {
  type~ t = #foo ([]i64) | #bar ([]i64)

  def make (n: i64) : t = #foo (iota n)

  def sum (x: t) : i64 =
    match x
    case #foo xs -> i64.sum xs + length xs
    case #bar xs -> i64.sum xs
}

entry hidden (n: i64) : i64 = m.sum (m.make n)
