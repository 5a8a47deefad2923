-- Loops that make an array in each round of the one before fill two blocks in turn: of initial arrays that are needed again,
-- given twice or belong to somebody else, in no rounds, in loops inside of loops and of maps, and while a condition holds.
-- ==
-- entry: once
-- input { 0i64 3i64 } output { 17i32 }
-- input { 1i64 0i64 } output { 527i32 }
-- input { 1i64 5i64 } output { 527i32 }
-- input { 7i64 0i64 } output { -406425806i32 }
-- input { 7i64 1i64 } output { -1889978685i32 }
-- input { 7i64 2i64 } output { 614898683i32 }
-- input { 7i64 5i64 } output { -162251641i32 }
-- input { 16i64 3i64 } output { -520579815i32 }
-- input { 17i64 4i64 } output { -1291560459i32 }
-- input { 100i64 1i64 } output { -575503510i32 }
-- input { 100i64 6i64 } output { -2010838253i32 }

-- ==
-- entry: kept
-- input { 0i64 3i64 } output { 0i32 }
-- input { 1i64 0i64 } output { 0i32 }
-- input { 1i64 5i64 } output { 70i32 }
-- input { 7i64 0i64 } output { 0i32 }
-- input { 7i64 1i64 } output { 2070957938i32 }
-- input { 7i64 2i64 } output { 123782729i32 }
-- input { 7i64 5i64 } output { -585738404i32 }
-- input { 16i64 3i64 } output { -2042097384i32 }
-- input { 17i64 4i64 } output { -1915383186i32 }
-- input { 100i64 1i64 } output { -561298251i32 }
-- input { 100i64 6i64 } output { -407263402i32 }

-- ==
-- entry: exchanged
-- input { 0i64 3i64 } output { 17i32 17i32 17i32 }
-- input { 1i64 0i64 } output { 527i32 527i32 527i32 }
-- input { 1i64 5i64 } output { 527i32 527i32 527i32 }
-- input { 7i64 0i64 } output { -345286664i32 -284147522i32 -223008380i32 }
-- input { 7i64 1i64 } output { 888022675i32 -345286664i32 -223008380i32 }
-- input { 7i64 2i64 } output { 527507627i32 1235661900i32 -500978005i32 }
-- input { 7i64 5i64 } output { 1208866019i32 -1174714973i32 -500978005i32 }
-- input { 16i64 3i64 } output { -138677959i32 -163544043i32 -853389292i32 }
-- input { 17i64 4i64 } output { -2069816347i32 59480407i32 -685259857i32 }
-- input { 100i64 1i64 } output { -1384348978i32 -196513753i32 39190767i32 }
-- input { 100i64 6i64 } output { -1443450860i32 -1227656793i32 -1116954084i32 }

-- ==
-- entry: twice
-- input { 0i64 3i64 } output { 0i32 }
-- input { 1i64 0i64 } output { 0i32 }
-- input { 1i64 5i64 } output { 0i32 }
-- input { 7i64 0i64 } output { 0i32 }
-- input { 7i64 1i64 } output { 510828005i32 }
-- input { 7i64 2i64 } output { 0i32 }
-- input { 7i64 5i64 } output { 1108168492i32 }
-- input { 16i64 3i64 } output { -380407888i32 }
-- input { 17i64 4i64 } output { 0i32 }
-- input { 100i64 1i64 } output { 1015489782i32 }
-- input { 100i64 6i64 } output { 0i32 }

-- ==
-- entry: history
-- input { 0i64 3i64 } output { 136i32 }
-- input { 1i64 0i64 } output { 4217i32 }
-- input { 1i64 5i64 } output { 4644i32 }
-- input { 7i64 0i64 } output { 1930078414i32 }
-- input { 7i64 1i64 } output { -990129387i32 }
-- input { 7i64 2i64 } output { 1431823332i32 }
-- input { 7i64 5i64 } output { 884505492i32 }
-- input { 16i64 3i64 } output { 2083690248i32 }
-- input { 17i64 4i64 } output { 606470836i32 }
-- input { 100i64 1i64 } output { -163394399i32 }
-- input { 100i64 6i64 } output { -716171634i32 }

-- ==
-- entry: nested
-- input { 0i64 3i64 } output { 17i32 }
-- input { 1i64 0i64 } output { 527i32 }
-- input { 1i64 5i64 } output { 1768625311i32 }
-- input { 7i64 0i64 } output { -406425806i32 }
-- input { 7i64 1i64 } output { 1499413063i32 }
-- input { 7i64 2i64 } output { -2031800537i32 }
-- input { 7i64 5i64 } output { -1088958877i32 }
-- input { 16i64 3i64 } output { 455407243i32 }
-- input { 17i64 4i64 } output { -675125717i32 }
-- input { 100i64 1i64 } output { -1908180791i32 }
-- input { 100i64 6i64 } output { 1367349129i32 }

-- ==
-- entry: points
-- input { 0i64 3i64 } output { 17i32 }
-- input { 1i64 0i64 } output { 1054i32 }
-- input { 1i64 5i64 } output { 1054i32 }
-- input { 7i64 0i64 } output { -1418021308i32 }
-- input { 7i64 1i64 } output { 659920400i32 }
-- input { 7i64 2i64 } output { 520836520i32 }
-- input { 7i64 5i64 } output { -1426337800i32 }
-- input { 16i64 3i64 } output { -1661298941i32 }
-- input { 17i64 4i64 } output { 1625129276i32 }
-- input { 100i64 1i64 } output { -1099583657i32 }
-- input { 100i64 6i64 } output { -1296715053i32 }

-- ==
-- entry: while_small
-- input { 0i64 3i64 } output { 20i32 }
-- input { 1i64 0i64 } output { 527i32 }
-- input { 1i64 5i64 } output { 532i32 }
-- input { 7i64 0i64 } output { -406425806i32 }
-- input { 7i64 1i64 } output { -1889978684i32 }
-- input { 7i64 2i64 } output { 614898685i32 }
-- input { 7i64 5i64 } output { -162251636i32 }
-- input { 16i64 3i64 } output { -520579812i32 }
-- input { 17i64 4i64 } output { -1291560455i32 }
-- input { 100i64 1i64 } output { -575503509i32 }
-- input { 100i64 6i64 } output { -2030554846i32 }

-- ==
-- entry: given
-- input { [3i32, 1i32, 4i32] 0i64 } output { 509365i32 [3i32, 1i32, 4i32] [3i32, 1i32, 4i32] }
-- input { [3i32, 1i32, 4i32] 1i64 } output { 506734i32 [0i32, 9i32, 8i32] [3i32, 1i32, 4i32] }
-- input { [3i32, 1i32, 4i32] 4i64 } output { 311615i32 [-207i32, 126i32, 189i32] [3i32, 1i32, 4i32] }
-- input { empty([0]i32) 3i64 } output { 17i32 empty([0]i32) empty([0]i32) }

-- ==
-- entry: rims
-- input { 1i64 1i64 } output { 527i32 }
-- input { 2i64 2i64 } output { 16362i32 }
-- input { 3i64 1i64 } output { 516242i32 }
-- input { 8i64 3i64 } output { 1797374562i32 }
-- input { 15i64 2i64 } output { -751829620i32 }
-- input { 16i64 2i64 } output { -211106694i32 }
-- input { 17i64 3i64 } output { 2147422692i32 }
-- input { 31i64 2i64 } output { -1843315663i32 }
-- input { 32i64 2i64 } output { -605579674i32 }
-- input { 33i64 2i64 } output { 763800569i32 }
-- input { 49i64 5i64 } output { 1399274750i32 }
-- input { 64i64 3i64 } output { -1475551999i32 }
-- input { 65i64 3i64 } output { 401096420i32 }
-- input { 200i64 2i64 } output { -364545064i32 }

-- ==
-- entry: rims_fail
-- input { 49i64 3i64 45i64 } output { 1504186782i32 }
-- input { 49i64 -1i64 45i64 } error: Index \[-1\] out of bounds for array of shape \[49\]
-- input { 49i64 3i64 49i64 } error: Index \[49\] out of bounds for array of shape \[49\]
-- input { 49i64 -1i64 49i64 } error: Index \[-1\] out of bounds for array of shape \[49\]
-- input { 16i64 5i64 16i64 } error: Index \[16\] out of bounds for array of shape \[16\]
-- input { 33i64 33i64 0i64 } error: Index \[33\] out of bounds for array of shape \[33\]
-- input { 64i64 7i64 -2i64 } error: Index \[-2\] out of bounds for array of shape \[64\]

def digest [n] (xs: [n]i32) : i32 = loop h = 17 for x in xs do h * 31 + x

def next [n] (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> xs[(i + 1) % n] * 3 - xs[i64.max 0 (i - 1)])

entry once (n: i64) (rounds: i64) : i32 =
  digest (loop xs = map i32.i64 (iota n) for _i < rounds do next xs)

-- The first array is needed behind the loop.
entry kept (n: i64) (rounds: i64) : i32 =
  let first = map (\i -> i32.i64 (i * i)) (iota n)
  let last = loop xs = first for i < rounds do map2 (+) (next xs) (map (+ i32.i64 i) xs)
  in digest first ^ digest last

-- Two of them, which change places now and then, and a third that stays what it was.
entry exchanged (n: i64) (rounds: i64) : (i32, i32, i32) =
  let start k = map (\i -> i32.i64 (i * k)) (iota n)
  let (a, b, c) =
    loop (a, b, c) = (start 3, start 5, start 7) for i < rounds do
      if i % 3 == 0
      then (next b, a, c)
      else (next a, map2 (-) b (next c), if i % 2 == 0 then c else next b)
  in (digest a, digest b, digest c)

-- The same array for both, to begin with.
entry twice (n: i64) (rounds: i64) : i32 =
  let start = map i32.i64 (iota n)
  let (a, b) = loop (a, b) = (start, start) for _i < rounds do (next b, map2 (+) a (next a))
  in digest a ^ digest b

-- A round needs the array before the last as well.
entry history (n: i64) (rounds: i64) : i32 =
  let (a, b) =
    loop (a, b) = (map i32.i64 (iota n), replicate n 1) for _i < rounds do
      (b, map2 (+) (next a) (next b))
  in digest a * 7 + digest b

-- Loops inside of loops, of arrays that the outer one has made.
entry nested (n: i64) (rounds: i64) : i32 =
  let xs =
    loop xs = map i32.i64 (iota n) for i < rounds do
      let ys = loop ys = map (+ 1) xs for _j < i do next ys
      let zs = loop zs = replicate n 2 for _j < 2 do map2 (*) zs (next ys)
      in map2 (+) ys zs
  in digest xs

-- Points each with loops of its own, of sizes of its own.
entry points (n: i64) (rounds: i64) : i32 =
  let point k =
    let m = k % 7 + 1
    in digest (loop xs = replicate m (i32.i64 k) for _i < rounds do next xs)
  in digest (map point (iota n))

entry while_small (n: i64) (rounds: i64) : i32 =
  let (xs, k, _) =
    loop (xs, k, go) = (map i32.i64 (iota n), 0, true) while go && k < rounds do
      let xs = next xs
      in (xs, k + 1, n == 0 || xs[n / 2] < 1000)
  in digest xs + i32.i64 k

-- What is given belongs to the caller.
entry given [n] (xs: [n]i32) (rounds: i64) : (i32, [n]i32, [n]i32) =
  let ys = loop ys = xs for _i < rounds do next ys
  in (digest ys, ys, xs)

-- Elements that turn inwards at the rims are read many at a time but for those.
entry rims (n: i64) (rounds: i64) : i32 =
  let to = tabulate n (\i -> if i == 0 then i64.min (n - 1) 3 else if i == n - 1 then i64.max 0 (n - 5) else i)
  let far = tabulate n (\i -> if i % 16 == 15 then 0 else if i % 32 == 0 then n - 1 else i)
  in digest (loop xs = map i32.i64 (iota n) for _i < rounds do
               map2 (\k l -> xs[k] * 5 + xs[i64.min (n - 1) (k + 1)] - xs[l]) to far)

-- And fail at the rims alone.
entry rims_fail (n: i64) (first: i64) (last: i64) : i32 =
  let to = tabulate n (\i -> if i == 0 then first else if i == n - 1 then last else i)
  let xs = map i32.i64 (iota n)
  in digest (map (\k -> xs[k] * 5 + xs[i64.max 0 (k - 1)]) to)
