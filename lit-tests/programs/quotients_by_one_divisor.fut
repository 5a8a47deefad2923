-- Of multiples of a divisor, and of what comes right before them, up to and beyond where lanes multiply by its reciprocal in `f64`.
-- ==
-- entry: exact
-- input { 1125899906842624i64 [1i64, 3i64, 5i64, 7i64, 10i64, 1000003i64, 33554433i64, 94906267i64, 562949953421319i64] } output { true }
-- input { 2251799813685248i64 [1i64, 3i64, 6i64, 9i64, 11i64, 999999i64, 67108865i64, 1125899906842625i64] } output { true }
-- input { 9223372036854775807i64 [2i64, 3i64, 4095i64, 4294967297i64, 4611686018427387905i64] } output { true }
-- entry: thirds
-- input { 1125899906842623i64 } output { true }
-- input { 3000000000000000i64 } output { true }

-- Whether quotients of `k * d` and `k * d + d - 1` are `k`, for many `k` of which these are at most `most`, among them the greatest.
entry exact [m] (most: i64) (divisors: [m]i64) : bool =
  and (map (\d ->
              let quotients = most / d
              let of i = if i < 100 then i64.max 0 (quotients - 1 - i) else i * i * i * 7919 % i64.max 1 quotients
              let ks = map of (iota 2000)
              let low = map (\k -> (k * d) / d) ks
              let high = map (\k -> (k * d + (d - 1)) / d) ks
              let rests = map (\k -> (k * d + (d - 1)) % d) ks
              in and (map2 (==) low ks) && and (map2 (==) high ks) && all (== d - 1) rests)
           divisors)

entry thirds (most: i64) : bool =
  let xs = map (\i -> most - i) (iota 1000)
  in and (map (\x -> let (q, r) = (x / 3, x % 3) in q * 3 + r == x && r >= 0 && r < 3) xs)
