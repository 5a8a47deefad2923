-- The reductions, the scan and the dot product that the minimal-basis article writes over map and
-- iota, beside the built-in ones. `cargo xtask bench` makes tables of them.
-- ==
-- entry: reduce_builtin
-- "10^3" script input { numbers 1000i64 }
-- "10^4" script input { numbers 10000i64 }
-- "10^5" script input { numbers 100000i64 }
-- "10^6" script input { numbers 1000000i64 }
-- "10^7" script input { numbers 10000000i64 }
-- "10^8" script input { numbers 100000000i64 }

-- ==
-- entry: reduce_of_tree
-- "10^3" script input { numbers 1000i64 }
-- "10^4" script input { numbers 10000i64 }
-- "10^5" script input { numbers 100000i64 }
-- "10^6" script input { numbers 1000000i64 }
-- "10^7" script input { numbers 10000000i64 }
-- "10^8" script input { numbers 100000000i64 }

-- ==
-- entry: reduce_of_threads
-- "10^3" script input { numbers 1000i64 }
-- "10^4" script input { numbers 10000i64 }
-- "10^5" script input { numbers 100000i64 }
-- "10^6" script input { numbers 1000000i64 }
-- "10^7" script input { numbers 10000000i64 }
-- "10^8" script input { numbers 100000000i64 }

-- ==
-- entry: scan_builtin
-- "10^3" script input { numbers 1000i64 }
-- "10^4" script input { numbers 10000i64 }
-- "10^5" script input { numbers 100000i64 }
-- "10^6" script input { numbers 1000000i64 }
-- "10^7" script input { numbers 10000000i64 }
-- "10^8" script input { numbers 100000000i64 }

-- ==
-- entry: scan_of_hillis_and_steele
-- "10^3" script input { numbers 1000i64 }
-- "10^4" script input { numbers 10000i64 }
-- "10^5" script input { numbers 100000i64 }
-- "10^6" script input { numbers 1000000i64 }
-- "10^7" script input { numbers 10000000i64 }
-- "10^8" script input { numbers 100000000i64 }

-- ==
-- entry: dotprod_builtin
-- "10^3" script input { pairs 1000i64 }
-- "10^4" script input { pairs 10000i64 }
-- "10^5" script input { pairs 100000i64 }
-- "10^6" script input { pairs 1000000i64 }
-- "10^7" script input { pairs 10000000i64 }
-- "10^8" script input { pairs 100000000i64 }

-- ==
-- entry: dotprod_of_basis
-- "10^3" script input { pairs 1000i64 }
-- "10^4" script input { pairs 10000i64 }
-- "10^5" script input { pairs 100000i64 }
-- "10^6" script input { pairs 1000000i64 }
-- "10^7" script input { pairs 10000000i64 }
-- "10^8" script input { pairs 100000000i64 }

def divide_up (x: i64) (y: i64) : i64 = (x + y - 1) / y

-- | Neighbours are combined until one is left. Work: *O(n)*; span: *O(log n)*.
def reduce_tree 'a (op: a -> a -> a) (ne: a) (as: []a) : a =
  let halved as =
    let at i = if i < length as then as[i] else ne
    in tabulate (length as `divide_up` 2) (\i -> at (2 * i) `op` at (2 * i + 1))
  let last = loop as while length as > 1 do halved as
  in if null last then ne else last[0]

def threads : i64 = 128 * 256

-- | A fixed number of threads, each of which folds every so manieth element; for operators that
-- commute.
def reduce_threads [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a =
  let chunk = n `divide_up` threads
  let fold t =
    loop x = ne for i < chunk do
      let j = t + i * threads
      in if j < n then x `op` as[j] else x
  in reduce_tree op ne (tabulate threads fold)

-- | The scan of Hillis and Steele. Work: *O(n log n)*; span: *O(log n)*.
def scan_steps [n] 'a (op: a -> a -> a) (as: [n]a) : [n]a =
  let (as, _) =
    loop (as, distance) = (as, 1) while distance < n do
      (tabulate n (\j -> if j < distance then as[j] else as[j - distance] `op` as[j]), 2 * distance)
  in as

entry numbers (n: i64) : [n]i32 = tabulate n (\i -> i32.i64 (i * 7919 % 1009))
entry pairs (n: i64) : ([n]i32, [n]i32) = (numbers n, map (+ 1) (numbers n))

entry reduce_builtin (xs: []i32) : i32 = reduce (+) 0 xs
entry reduce_of_tree (xs: []i32) : i32 = reduce_tree (+) 0 xs
entry reduce_of_threads (xs: []i32) : i32 = reduce_threads (+) 0 xs
entry scan_builtin [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
entry scan_of_hillis_and_steele [n] (xs: [n]i32) : [n]i32 = scan_steps (+) xs
entry dotprod_builtin [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (*) xs ys)

entry dotprod_of_basis [n] (xs: [n]i32) (ys: [n]i32) : i32 =
  let zipped = tabulate n (\i -> (xs[i], ys[i]))
  in reduce_threads (+) 0 (map (\(x, y) -> x * y) zipped)
