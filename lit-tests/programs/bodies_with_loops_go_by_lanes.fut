-- Points of maps whose bodies have loops are computed many at a time. Whatever the lanes do apart,
-- each gives what it would give alone, for any number of points.
-- ==
-- entry: horner_f32 horner_f64 horner_i8 horner_i16 horner_i32 horner_i64
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 8i64 } output { true }
-- input { 63i64 } output { true }
-- input { 64i64 } output { true }
-- input { 65i64 } output { true }
-- input { 131i64 } output { true }
-- input { 1000i64 } output { true }

-- ==
-- entry: collatz powers branches backwards sums of_halves truths divisions columns nested
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 15i64 } output { true }
-- input { 16i64 } output { true }
-- input { 17i64 } output { true }
-- input { 64i64 } output { true }
-- input { 65i64 } output { true }
-- input { 259i64 } output { true }

-- ==
-- entry: outside
-- input { [1, 2, 3] 100i64 3i64 } output { 594 }
-- input { [1, 2, 3] 100i64 4i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] 0i64 4i64 } output { 0 }

-- The same without lanes: scans are one after the other.
def one_by_one [n] 'a 'b (f: a -> b) (zero: b) (xs: [n]a) : [n]b =
  loop out = replicate n zero for i < n do out with [i] = f xs[i]

def check [n] 'a 'b (same: b -> b -> bool) (zero: b) (f: a -> b) (xs: [n]a) : bool =
  and (map2 same (opaque (map f xs)) (one_by_one f zero xs))

entry horner_f32 (n: i64) : bool =
  check (==) 0 (\x -> loop p = 0 for i < 9i64 do p * x + f32.i64 i)
        (tabulate n (\i -> f32.i64 i / 100))

entry horner_f64 (n: i64) : bool =
  check (==) 0 (\x -> loop p = 0 for i < 9i64 do p * x + f64.i64 i)
        (tabulate n (\i -> f64.i64 i / 100))

entry horner_i8 (n: i64) : bool =
  check (==) 0 (\x -> loop p = 0 for i < 9i8 do p * x + i) (map i8.i64 (iota n))

entry horner_i16 (n: i64) : bool =
  check (==) 0 (\x -> loop p = 0 for i < 9i16 do p * x + i) (map i16.i64 (iota n))

entry horner_i32 (n: i64) : bool =
  check (==) 0 (\x -> loop p = 0 for i < 9i32 do p * x + i) (map i32.i64 (iota n))

entry horner_i64 (n: i64) : bool =
  check (==) 0 (\x -> loop p = 0 for i < 9i64 do p * x + i) (iota n)

-- Every lane stops when it is done.
entry collatz (n: i64) : bool =
  let steps (x: i32) =
    (loop (x, k) = (x + 1, 0i32) while x != 1 do
       (if x % 2 == 0 then x / 2 else 3 * x + 1, k + 1)).1
  in check (==) 0 steps (map i32.i64 (iota n))

-- So does every lane of a counted loop.
entry powers (n: i64) : bool =
  let power (i: i32) = loop p = 1 for j < i % 7 do p * 3 + j
  in check (==) 0 power (map i32.i64 (iota n))

entry branches (n: i64) : bool =
  let f (x: i32) =
    loop s = x for i < 5i32 do
      if s % 3 == 0
      then if i % 2 == 0
           then loop t = s for k < 3i32 do t * 5 - k + i
           else s / 3 + i
      else if x == 7 then -s else s * 2 + x
  in check (==) 0 f (map i32.i64 (iota n))

-- Reads from the end, and from where only some lanes may.
entry backwards (n: i64) : bool =
  let xs = map (\i -> i32.i64 (i * i)) (iota n)
  let f (i: i64) =
    loop s = 0i32 for k < 4i64 do
      if i >= k && xs[n - 1 - i] % 2 == 0 then s * 3 + xs[i - k] else s + xs[n - 1 - i]
  in check (==) 0 f (iota n)

entry sums (n: i64) : bool =
  let f (x: i32) = i32.sum (map (\k -> (k + x) * k) (iota 5 |> map i32.i64))
                   + i32.maximum (map (\k -> (x * 77 + k) % 31) (iota 3 |> map i32.i64))
  in check (==) 0 f (map i32.i64 (iota n))

entry of_halves (n: i64) : bool =
  let f (x: f16) = loop y = x for _i < 3i32 do f16.sqrt (y * y + 1) - f16.floor y / 2
  in check (==) 0 f (map (\i -> f16.i64 i / 8) (iota n))

entry truths (n: i64) : bool =
  let f (b: bool) = loop c = b for i < 3i64 do (c && i != 1) || (b != c)
  in check (==) false f (map (\i -> i % 3 == 0) (iota n))

-- Divisors that are zero where a lane does not take part.
entry divisions (n: i64) : bool =
  let f (x: i32) =
    loop s = 100 for i < 4i32 do
      if x % 4 == i then s else s / (x % 4 - i) + s %% (x % 4 - i) + 1
  in check (==) 0 f (map i32.i64 (iota n))

-- Rows of results, and results of several types.
entry columns (n: i64) : bool =
  let f (i: i64) (j: i64) =
    loop (a, b, c) = (0i64, 0u8, 0f64) for k < 3i64 do
      (a + i * k + j, b + u8.i64 j, c + f64.i64 (j * k) / f64.i64 (i + 1))
  let rows = opaque (tabulate_2d 3 n f)
  let same (a, b, c) (d, e, g) = a == d && b == (e: u8) && c == (g: f64)
  in and (map2 (\i row -> check same (0, 0, 0) (f i) (iota n)
                          && and (map2 same row (one_by_one (f i) (0, 0, 0) (iota n))))
               (iota 3) rows)

entry nested (n: i64) : bool =
  let f (x: i64) =
    (loop (s, k) = (x, 0i64) while k < x % 5 do
       (loop s for j < 2 + k do s * 2 + j - x, k + 1)).0
  in check (==) 0 f (iota n)

entry outside [m] (xs: [m]i32) (n: i64) (k: i64) : i32 =
  i32.sum (opaque (tabulate n (\i -> loop s = i32.i64 (i %% 1) for j < k do s + xs[j]))) - 6 * i32.bool (n > 0)
