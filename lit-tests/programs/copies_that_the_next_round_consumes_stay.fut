-- What a round hands on is consumed in the next one: a copy of what is still wanted stays a copy.
-- ==
-- entry: outside
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] [10i64, 20i64, 30i64, 40i64, -50i64] }
-- output { [11i64, 21i64, 31i64, 41i64, -49i64] }

entry outside [n] (xs: [n]i64) (ys: [n]i64) : [n]i64 =
  let v = map (+ 1) ys
  in loop (a: *[n]i64) = copy xs for _i < 3 do
       let a' = a with [0] = a[0] + 7
       in if a'[0] == 10000 then a' else copy v

-- ==
-- entry: both
-- input { 3i64 [1i64, 2i64, 3i64, 4i64, 5i64] [10i64, 20i64, 30i64, 40i64, -50i64] }
-- output { [2i64, 3i64, 4i64, 5i64, 6i64] }

#[noinline]
def swap [n] (x: *[n]i64, y: *[n]i64) : (*[n]i64, *[n]i64) = (y with [0] = y[0] + 7, x)

entry both [n] (r: i64) (xs: [n]i64) (ys: [n]i64) : [n]i64 =
  (loop (a: *[n]i64, b: *[n]i64) = (map (+ 1) xs, map (+ r) ys) for _i < 4 do
     let (_, q) = swap (a, b)
     in (q, copy q)).0

-- ==
-- entry: rows
-- input { [1i64, 2i64] [10i64, 20i64, 30i64] }
-- output { [[12i64, 21i64, 31i64], [13i64, 21i64, 31i64]] }

entry rows [m] [n] (xs: [m]i64) (ys: [n]i64) : [m][n]i64 =
  map (\x ->
         let v = map (+ 1) ys
         let last = loop (a: *[n]i64) = replicate n x for _i < 3 do
                      let a' = a with [0] = a[0] + 7
                      in if a'[0] == 10000 then a' else copy v
         in last with [0] = last[0] + x)
      xs

-- What every round makes anew does not leave the loop if the next round consumes it.
-- ==
-- entry: invariant
-- input { 3i64 [1i64, 2i64, 3i64, 4i64, 5i64] [10i64, 20i64, 30i64, 40i64, -50i64] }
-- output { [-42i64, 23i64, 29i64, 43i64, -51i64] }

entry invariant [n] (z: i64) (xs: [n]i64) (ys: [n]i64) =
  (loop (a: *[n]i64, b: *[n]i64) = (map (+ 1) xs, map (+ 2) xs) for _i < n do
     let t = a[0] + b[n - 1]
     in (map (^ z) ys, a with [0] = t)).1

-- ==
-- entry: invariant_rows
-- input { [1i64, 2i64] [10i64, 20i64, 30i64] }
-- output { [[19i64, 22i64, 32i64], [20i64, 23i64, 33i64]] }

entry invariant_rows [m] [n] (zs: [m]i64) (ys: [n]i64) =
  map (\z ->
         (loop (a: *[n]i64, b: *[n]i64) = (map (+ 1) ys, map (+ 2) ys) for _i < 3 do
            (map (+ z) (map (+ 1) ys), a with [0] = a[0] + 7)).1)
      zs

-- Nor are two arrays that are equal one, if both are consumed in the next round.
-- ==
-- entry: equal
-- input { 3i64 [1i64, 2i64, 3i64] [10i64, 20i64, 30i64] }
-- output { [9i64, 23i64, 29i64] [24i64, 23i64, 29i64] }

entry equal [n] (z: i64) (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) =
  loop (a: *[n]i64, b: *[n]i64) = (map (+ 1) xs, map (+ 2) xs) for _i < 3 do
    let a' = a with [0] = a[0] + 7
    let b' = b with [0] = a'[0] + b[0]
    in if b'[0] > 1000 then (a', b') else (map (^ z) ys, map (^ z) ys with [0] = ys[0] + 14)
