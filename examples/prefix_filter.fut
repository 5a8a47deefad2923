-- Keeping the elements that satisfy a predicate, written out as the prefix sum that it is, beside
-- the prelude's own filter.
-- ==
-- input { [5, -3, 8, 0, -1, 7, 2] }
-- output { [5, 8, 7, 2] true }
-- input { [-5] }
-- output { empty([0]i32) true }

def keep [n] 'a (p: a -> bool) (xs: [n]a) : []a =
  let flags = map p xs
  let places = scan (+) 0 (map i64.bool flags)
  let count = if n == 0 then 0 else last places
  in if count == 0
     then take 0 xs
     else scatter (replicate count xs[0])
                  (map2 (\flag place -> if flag then place - 1 else -1) flags places)
                  xs

entry main [n] (xs: [n]i32) : ([]i32, bool) =
  let mine = keep (> 0) xs
  let theirs = filter (> 0) xs
  let k = length mine
  let same = k == length theirs && and (map2 (==) (sized k mine) (sized k theirs))
  in (mine, same)
