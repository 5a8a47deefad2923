-- An array of sums holds something for payloads that are not there, whose size must be one.
type opt [n] = #some ([n]i64) | #none

#[noinline]
def none (n: i64) : opt [n] = #none

#[noinline]
def guarded (n: i64) : opt [n] = if n < 0 then #none else #some (iota n)

-- ==
-- entry: turned_round joined
-- input { 2i64 3i64 } output { 3i64 }
-- input { 2i64 0i64 } error: out of bounds
-- input { -5i64 3i64 } error: [Nn]egative size

entry turned_round (n: i64) (m: i64) =
  let xs = rotate 1 (replicate m (none n))
  in match xs[m - 1] case #some a -> a[0] case #none -> m

entry joined (n: i64) (m: i64) =
  let xs = replicate m (none n)
  in match (xs ++ xs)[m - 1] case #some a -> a[0] case #none -> m

-- ==
-- entry: reduced
-- input { 2i64 3i64 } output { 3i64 }
-- input { -5i64 3i64 } error: [Nn]egative size

entry reduced (n: i64) (m: i64) =
  match reduce (\x y ->
                  match (x, y)
                  case (#some p, #some q) -> #some (map2 (+) p q)
                  case (#none, _) -> y
                  case (_, _) -> x)
               #none
               (map (\_ -> none n) (iota m))
  case #some a -> a[0]
  case #none -> m

-- ==
-- entry: backwards
-- input { 3i64 2i64 } output { 2i64 }
-- input { -5i64 3i64 } error: [Nn]egative size

entry backwards (n: i64) (m: i64) =
  match (reverse (map (\_ -> guarded n) (iota m)))[0]
  case #some a -> a[n - 1]
  case #none -> -1

-- ==
-- entry: of_one
-- input { 5i64 } output { 100i64 }
-- input { -5i64 } error: [Nn]egative size

entry of_one (n: i64) = match none n case #some xs -> i64.sum xs case #none -> 100

def fold [n] 'a (f: [n]i64 -> a) (x: opt [n]) : a =
  match x case #some xs -> f xs case #none -> f (iota n)

-- ==
-- entry: size_alone
-- input { 5i64 } output { 5i64 }
-- input { -5i64 } error: [Nn]egative size

entry size_alone (n: i64) = fold (\xs -> length xs) (none n)
