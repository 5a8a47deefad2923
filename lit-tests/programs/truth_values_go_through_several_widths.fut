-- Conjunctions and disjunctions by lanes of several registers, then of one, then element by element: what a width has
-- found counts in what comes after it.
-- ==
-- entry: all any
-- input { 0i64 } output { true }
-- input { 31i64 } output { true }
-- input { 40i64 } output { true }
-- input { 150i64 } output { true }
-- input { 300i64 } output { true }

def one_of (n: i64) (at: i64) (x: i32) (y: i32) = tabulate n (\i -> if i == at then x else y)

-- What stands beside the reduction is computed along with it.
def all_of [l] (xs: [l]i32) (ys: [l]i32) =
  (and (map (\y -> y > 0) ys), map (\y -> and (map (\x -> x < y) xs)) ys)

def any_of [l] (xs: [l]i32) (ys: [l]i32) =
  (or (map (\y -> y <= 0) ys), map (\y -> i32.sum (map (* y) xs)) ys)

entry all (n: i64) : bool =
  let xs = replicate n 1
  in and (map (\at -> let (r, rows) = all_of xs (one_of n at 0 2)
                      in !r && and (map2 (==) rows (tabulate n (!= at))))
              (iota n))
     && (all_of xs (replicate n 2)).0

entry any (n: i64) : bool =
  let xs = replicate n 1
  in and (map (\at -> let (r, rows) = any_of xs (one_of n at 0 2)
                      in r && and (map2 (==) rows (one_of n at 0 (2 * i32.i64 n))))
              (iota n))
     && !(any_of xs (replicate n 2)).0
