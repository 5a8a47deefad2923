-- The sieve of Eratosthenes: the primes below n.
-- ==
-- input { 30i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }
-- input { 2i64 } output { empty([0]i64) }

entry main (n: i64) : []i64 =
  let sieve =
    loop sieve = tabulate n (>= 2) for i < i64.f64 (f64.sqrt (f64.i64 n)) - 1 do
      let p = i + 2
      in if sieve[p]
         then let multiples = map (\i -> (i + p) * p) (iota (i64.max 0 ((n - 1) / p - p + 1)))
              in scatter sieve multiples (map (const false) multiples)
         else sieve
  in filter (\i -> sieve[i]) (iota n)
