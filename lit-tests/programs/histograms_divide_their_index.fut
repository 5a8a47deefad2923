-- Histograms whose buckets or values divide the index, against loops that do not: divisors that divide the range or do not, that
-- are larger, small or negative; several arrays at once; and failures, of which the first is reported.
-- ==
-- entry: parts
-- input { 0i64 9i64 } output { true }
-- input { 1i64 9i64 } output { true }
-- input { 100i64 8i64 } output { true }
-- input { 100i64 7i64 } output { true }
-- input { 96i64 8i64 } output { true }
-- input { 50i64 64i64 } output { true }
-- input { 50i64 -9i64 } output { true }
-- input { 5000i64 33i64 } output { true }
-- input { 5000i64 4999i64 } output { true }
-- input { 100i64 4611686018427387903i64 } output { true }

-- ==
-- entry: thrice
-- input { 100i64 10i64 7i64 } output { true }
-- input { 3000i64 1000i64 5i64 } output { true }
-- input { 3000i64 17i64 1000i64 } output { true }
-- input { 40i64 41i64 3i64 } output { true }

-- ==
-- entry: by_nothing
-- input { 3i64 0i64 } error: division by zero
-- input { 0i64 0i64 } output { empty([0]i64) }
-- input { 20i64 9i64 } output { [3i64, 3i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }

-- ==
-- entry: outside
-- input { 30i64 10i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] } output { [1i64, 3i64, 6i64, 9i64, 12i64, 23i64, 35i64, 40i64, 26i64, 10i64] }
-- input { 30i64 10i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] } error: Index \[9\] out of bounds
-- input { 30i64 12i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] } error: Index \[10\] out of bounds

def slow_div (x: i64) (y: i64) : i64 = i64.f64 (f64.floor (f64.i64 x / f64.i64 y))
def slow_mod (x: i64) (y: i64) : i64 = x - slow_div x y * y

-- What buckets come to, one element after the other.
def in_turn [n] (k: i64) (is: [n]i64) (xs: [n]f32) : [k]f32 =
  loop sums = replicate k 0 for i < n do
    if 0 <= is[i] && is[i] < k then sums with [is[i]] = sums[is[i]] + xs[i] else sums

-- Small integers, so that sums are the same in any order.
def value (i: i64) : f32 = f32.i64 (i * i % 31)

entry parts (n: i64) (d: i64) : bool =
  let k = 60
  let indexes = iota n
  let zeros = replicate k 0f32
  let by_remainder = reduce_by_index (copy zeros) (+) 0 (map (% d) indexes) (map value indexes)
  let by_quotient = reduce_by_index (copy zeros) (+) 0 (map (/ d) indexes) (map value indexes)
  let both =
    reduce_by_index (copy zeros) (+) 0 (map (\i -> i / d * 3 + (if i % d < 8 then 0 else 1)) indexes)
                    (map (\i -> value (i % d + i %% (2 * d))) indexes)
  let remainders = map (\i -> slow_mod i d) indexes
  let quotients = map (\i -> slow_div i d) indexes
  let truncated i = i - i64.f64 (f64.trunc (f64.i64 i / f64.i64 (2 * d))) * (2 * d)
  let twice = map truncated indexes
  in and (map2 (==) by_remainder (in_turn k remainders (map value indexes)))
     && and (map2 (==) by_quotient (in_turn k quotients (map value indexes)))
     && and (map2 (==) both (in_turn k (map2 (\q r -> q * 3 + (if r < 8 then 0 else 1)) quotients remainders)
                                     (map2 (\r t -> value (r + t)) remainders twice)))

-- Three arrays in one histogram, over three that are read around and around.
entry thrice (n: i64) (d: i64) (k: i64) : bool =
  let make f = tabulate d (\i -> f32.i64 (f i % 17))
  let (xs, ys, zs) = (make (* 5), make (+ 3), make (\i -> i * i))
  let bucket i = (i * 7 + i / 5) % (k + 1)
  let of (as: []f32) i = as[i % d]
  let (a, b, c) =
    unzip3 (reduce_by_index (replicate k (0, 0, 0)) (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0)
                            (map bucket (iota n)) (map (\i -> (of xs i, of ys i, of zs i)) (iota n)))
  let slow as = in_turn k (map bucket (iota n)) (map (\i -> as[slow_mod i d]) (iota n))
  in and (map2 (==) a (slow xs)) && and (map2 (==) b (slow ys)) && and (map2 (==) c (slow zs))

entry by_nothing (n: i64) (d: i64) : [n]i64 =
  reduce_by_index (replicate n 0) (+) 0 (map (% d) (iota n)) (replicate n 1)

-- The first element that is not there.
entry outside [m] (n: i64) (d: i64) (xs: [m]i64) : [m]i64 =
  reduce_by_index (replicate m 0) (+) 0 (map (\i -> i % d + i / d - 2 * (i % d / 7)) (iota n)) (map (\i -> xs[i % d]) (iota n))

-- Floats are added up in the order of the points, also where whole pieces of the range go to one bucket.
-- ==
-- entry: pieces_in_one_bucket
-- input { 1499i64 500i64 5i64 } output { [0f32, 0f32, 0f32, 149.79855f32, 0f32] }
entry pieces_in_one_bucket (n: i64) (d: i64) (k: i64) : [k]f32 =
  reduce_by_index (replicate k 0) (+) 0 (replicate n 3) (map (\i -> f32.i64 (i / d) * 0.1) (iota n))
