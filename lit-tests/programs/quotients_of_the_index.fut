-- Maps whose bodies divide their index, against the same without: divisors that divide the range or
-- do not, that are larger, one, or negative, and multiples of each other.
-- ==
-- entry: unflattened
-- input { 0i64 1i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 12i64 3i64 } output { true }
-- input { 100i64 7i64 } output { true }
-- input { 50i64 50i64 } output { true }
-- input { 50i64 64i64 } output { true }
-- input { 50i64 -3i64 } output { true }
-- input { 1000i64 100i64 } output { true }

-- ==
-- entry: butterfly
-- input { 64i64 1i64 } output { true }
-- input { 64i64 2i64 } output { true }
-- input { 64i64 16i64 } output { true }
-- input { 70i64 8i64 } output { true }
-- input { 9i64 16i64 } output { true }

-- ==
-- entry: rows
-- input { 3i64 40i64 6i64 } output { true }
-- input { 0i64 40i64 6i64 } output { true }
-- input { 4i64 0i64 6i64 } output { true }

-- ==
-- entry: by_nothing
-- input { 3i64 0i64 } error: division by zero
-- input { 0i64 0i64 } output { empty([0]i64) }

def slow_div (x: i64) (y: i64) : i64 = i64.f64 (f64.floor (f64.i64 x / f64.i64 y))
def slow_mod (x: i64) (y: i64) : i64 = x - slow_div x y * y

entry unflattened (n: i64) (m: i64) : bool =
  let fast = tabulate n (\i -> (i / m, i % m, i64.f64 (f64.i64 (i // m)), i %% m))
  let trunc i = i64.f64 (f64.trunc (f64.i64 i / f64.i64 m))
  let slow = tabulate n (\i -> (slow_div i m, slow_mod i m, trunc i, i - trunc i * m))
  in and (map2 (==) fast slow)

entry butterfly (n: i64) (p: i64) : bool =
  let xs = tabulate n (\i -> i * i % 1009)
  let at i = if 0 <= i && i < n then xs[i] else -1
  let fast =
    tabulate n (\i -> let j = i / (2 * p) * p + i % p
                      in if i % (2 * p) < p then at j + 2 * at (j + p) else at j - 3 * at (i % 30))
  let slow =
    tabulate n (\i -> let j = slow_div i (2 * p) * p + slow_mod i p
                      in if slow_mod i (2 * p) < p then at j + 2 * at (j + p)
                         else at j - 3 * at (slow_mod i 30))
  in and (map2 (==) fast slow)

entry rows (n: i64) (m: i64) (d: i64) : bool =
  let fast = tabulate_2d n m (\i j -> (i / d, j / d + i, j % d * 100 + j / (3 * d)))
  let slow =
    tabulate_2d n m (\i j -> ( slow_div i d
                             , slow_div j d + i
                             , slow_mod j d * 100 + slow_div j (3 * d)))
  in and (map2 (\a b -> and (map2 (==) a b)) fast slow)

entry by_nothing (n: i64) (m: i64) : []i64 = tabulate n (\i -> i / m)
