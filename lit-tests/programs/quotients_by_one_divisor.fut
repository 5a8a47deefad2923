-- Of multiples of a divisor, and of what comes right before them, up to and beyond where lanes multiply by its reciprocal in `f64`.
-- ==
-- entry: exact
-- input { 1125899906842624i64 [1i64, 3i64, 5i64, 7i64, 10i64, 1000003i64, 33554433i64, 94906267i64, 562949953421319i64] } output { true }
-- input { 2251799813685248i64 [1i64, 3i64, 6i64, 9i64, 11i64, 999999i64, 67108865i64, 1125899906842625i64] } output { true }
-- input { 9223372036854775807i64 [2i64, 3i64, 4095i64, 4294967297i64, 4611686018427387905i64] } output { true }
-- entry: thirds
-- input { 1125899906842623i64 } output { true }
-- input { 3000000000000000i64 } output { true }
-- entry: u32s
-- input { [1u32, 2u32, 3u32, 7u32, 10u32, 65537u32, 999983u32, 2147483648u32, 4294967295u32] } output { true }
-- entry: i32s
-- input { [1i32, 2i32, 3i32, -3i32, 7i32, -10i32, 46341i32, 999983i32, -1i32, 2147483647i32, -2147483648i32] } output { true }
-- entry: u16s
-- input { [1u16, 3u16, 7u16, 255u16, 257u16, 32768u16, 65535u16] } output { true }
-- entry: i16s
-- input { [1i16, 3i16, -7i16, 181i16, -1i16, 32767i16, -32768i16] } output { true }
-- entry: u8s
-- input { [1u8, 2u8, 3u8, 7u8, 10u8, 127u8, 254u8, 255u8] } output { true }

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

-- Multiples of a divisor and their neighbours, from the greatest downwards and from the least upwards.
def dividends (least: i64) (most: i64) (d: i64) : [4000]i64 =
  let near i m = i64.max least (i64.min most (m / d * d + d * (i / 3) * (if m < 0 then 1 else -1) * i64.sgn d + i % 3 - 1))
  in tabulate 4000 (\i -> if i % 2 == 0 then near (i / 2) most else near (i / 2) least)

-- Whether quotients and remainders are those of `x` by `d`: `/` and `%` round down, `//` and `%%` towards zero. Nothing is divided here.
def agree (x: i64) (d: i64) (q: i64) (r: i64) (towards_zero: i64) (rest: i64) : bool =
  q * d + r == x && (r == 0 || (r < 0) == (d < 0)) && i64.abs r < i64.abs d
  && towards_zero * d + rest == x && (rest == 0 || (rest < 0) == (x < 0)) && i64.abs rest < i64.abs d

entry u32s [m] (divisors: [m]u32) : bool =
  all (\d -> let xs = map u32.i64 (dividends 0 4294967295 (i64.u32 d))
             in and (map4 (\x q r (t, e) -> agree (i64.u32 x) (i64.u32 d) (i64.u32 q) (i64.u32 r) (i64.u32 t) (i64.u32 e))
                          xs (map (/ d) xs) (map (% d) xs) (map (\x -> (x // d, x %% d)) xs)))
      divisors

entry i32s [m] (divisors: [m]i32) : bool =
  all (\d -> let xs = map i32.i64 (dividends (if d == -1 then -2147483647 else -2147483648) 2147483647 (i64.i32 d))
             in and (map4 (\x q r (t, e) -> agree (i64.i32 x) (i64.i32 d) (i64.i32 q) (i64.i32 r) (i64.i32 t) (i64.i32 e))
                          xs (map (/ d) xs) (map (% d) xs) (map (\x -> (x // d, x %% d)) xs)))
      divisors

entry u16s [m] (divisors: [m]u16) : bool =
  all (\d -> let xs = map u16.i64 (iota 65536)
             in and (map3 (\x q r -> agree (i64.u16 x) (i64.u16 d) (i64.u16 q) (i64.u16 r) (i64.u16 q) (i64.u16 r))
                          xs (map (/ d) xs) (map (% d) xs)))
      divisors

entry i16s [m] (divisors: [m]i16) : bool =
  all (\d -> let xs = map (\i -> i16.i64 (i - if d == -1 then 32767 else 32768)) (iota 65535)
             in and (map4 (\x q r (t, e) -> agree (i64.i16 x) (i64.i16 d) (i64.i16 q) (i64.i16 r) (i64.i16 t) (i64.i16 e))
                          xs (map (/ d) xs) (map (% d) xs) (map (\x -> (x // d, x %% d)) xs)))
      divisors

entry u8s [m] (divisors: [m]u8) : bool =
  all (\d -> let xs = map u8.i64 (iota 256)
             in and (map3 (\x q r -> agree (i64.u8 x) (i64.u8 d) (i64.u8 q) (i64.u8 r) (i64.u8 q) (i64.u8 r))
                          xs (map (/ d) xs) (map (% d) xs)))
      divisors
