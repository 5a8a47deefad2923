-- The check of a size is made whether or not the elements are read: what is made of the size relies on it.
-- ==
-- entry: written
-- input { -1i64 [0i64, 1i64, 1000000i64] } error: invalid
-- input { 2i64 [0i64, 1i64, 1000000i64] } output { [7, 7] }

-- ==
-- entry: joined
-- input { -2i64 7 } error: invalid
-- input { 2i64 7 } output { [7, 7, 1, 2, 3] }

-- ==
-- entry: sliced
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 5i64 20i64 } error: out of bounds
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 7i64 5i64 } error: out of bounds
-- input { [1, 2, 3] 1i64 3i64 } output { [7, 7, 1, 2, 3] }

-- ==
-- entry: strided
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 1i64 8i64 3i64 } output { [7, 7, 7] }
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 1i64 9i64 4i64 } output { [7, 7] }
-- input { [1, 2, 3, 4, 5, 6, 7, 8] 1i64 10i64 4i64 } error: out of bounds
-- input { [1, 2, 3] 0i64 9223372036854775807i64 9223372036854775807i64 } output { [7] }
-- input { [1, 2, 3] -1i64 9223372036854775807i64 9i64 } error: out of bounds

-- ==
-- entry: taken dropped
-- input { [1, 2, 3] 5i64 } error: out of bounds
-- input { [1, 2, 3] -1i64 } error: out of bounds

-- ==
-- entry: constant counted
-- input { -2i64 } error: invalid

-- ==
-- entry: ranged
-- input { 5i64 2i64 0i64 } error: invalid
-- input { -9223372036854775808i64 9223372036854775807i64 1i64 } error: invalid
-- input { 5i64 9i64 2i64 } output { [1, 1, 1, 2, 3] }

-- ==
-- entry: chosen
-- input { true -1i64 2i64 } error: invalid
-- input { false -1i64 2i64 } output { [1, 1, 1, 2, 3] }

-- ==
-- entry: looped
-- input { 3i64 } error: invalid
-- input { 2i64 } output { empty([0]i32) }
-- input { 1i64 } output { [1] }

-- ==
-- entry: called payload
-- input { -2i64 } error: egative
-- input { 1i64 } output { [1, 1, 2, 3] }
def c = 1i32

entry written (n: i64) (is: []i64) =
  scatter (map (\_ -> 0i32) (iota n)) is (map (\_ -> 7i32) is)

entry joined (n: i64) (x: i32) = map (\_ -> x) (iota n) ++ [1, 2, 3]

entry sliced (xs: []i32) (i: i64) (j: i64) = map (\_ -> 7i32) xs[i:j] ++ [1, 2, 3]

entry strided (xs: []i32) (i: i64) (j: i64) (s: i64) = map (\_ -> 7i32) xs[i:j:s]

entry taken (xs: []i32) (n: i64) = map (\_ -> 7i32) (take n xs) ++ [1, 2, 3]

entry dropped (xs: []i32) (n: i64) = map (\_ -> 7i32) (drop n xs) ++ [1, 2, 3]

entry constant (n: i64) = map (\_ -> true) (iota n)

entry counted (n: i64) = length (iota n)

entry ranged (a: i64) (b: i64) (s: i64) = map (\_ -> c) (a..(a + s)..<b) ++ [1, 2, 3]

entry chosen (b: bool) (n: i64) (m: i64) =
  map (\_ -> c) (if b then iota n else iota m) ++ [1, 2, 3]

entry looped (n: i64) =
  map (\_ -> c) (loop xs = [5i64] for i < n do iota (1 - i))

type opt 'a = #some a | #none

#[noinline]
def named (n: i64) (_v: opt ([n]i32)) = iota n

entry called (n: i64) =
  map (\_ -> c) (named n (if n < 0 then #none else #some (replicate n 1i32))) ++ [1, 2, 3]

entry payload (n: i64) =
  let v : opt ([n]i32) = if n < -5 then #none else #some (replicate n 1i32)
  in match v
     case #some xs -> map (\_ -> c) xs ++ [1, 2, 3]
     case #none -> [1, 2, 3]
