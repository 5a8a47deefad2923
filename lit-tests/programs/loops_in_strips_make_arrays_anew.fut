-- Time loops of points that make the arrays they carry anew: in strips, the arrays are slots of one block. Of sizes at and around the ends of
-- strips, no round, and beyond the room of a strip.
-- ==
-- entry: recur
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 493375702i32 }
-- input { 1i64 1i64 1i64 } output { 230i32 }
-- input { 15i64 7i64 4i64 } output { -106476090i32 }
-- input { 16i64 7i64 0i64 } output { -1108011078i32 }
-- input { 16i64 7i64 1i64 } output { 605479077i32 }
-- input { 31i64 33i64 5i64 } output { 655406714i32 }
-- input { 64i64 17i64 3i64 } output { -1636825741i32 }
-- input { 65i64 2i64 6i64 } output { -912908611i32 }
-- input { 35i64 2001i64 2i64 } output { 1355344112i32 }
-- input { 16i64 9000i64 1i64 } output { 377345413i32 }

-- ==
-- entry: rows
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 17i32 }
-- input { 1i64 1i64 1i64 } output { 230i32 }
-- input { 15i64 7i64 4i64 } output { 1002671973i32 }
-- input { 16i64 7i64 0i64 } output { 572528634i32 }
-- input { 16i64 7i64 1i64 } output { 791839812i32 }
-- input { 31i64 33i64 5i64 } output { 1761389608i32 }
-- input { 64i64 17i64 3i64 } output { 1535674883i32 }
-- input { 65i64 2i64 6i64 } output { 1376533616i32 }
-- input { 35i64 2001i64 2i64 } output { -1364621966i32 }
-- input { 16i64 9000i64 1i64 } output { -1453428115i32 }

-- ==
-- entry: begins_with_rows
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 519141937i32 }
-- input { 1i64 1i64 1i64 } output { 984i32 }
-- input { 15i64 7i64 4i64 } output { -581870388i32 }
-- input { 16i64 7i64 0i64 } output { 426768719i32 }
-- input { 16i64 7i64 1i64 } output { 1736571595i32 }
-- input { 31i64 33i64 5i64 } output { 1838818834i32 }
-- input { 64i64 17i64 3i64 } output { -26922881i32 }
-- input { 65i64 2i64 6i64 } output { -33872665i32 }
-- input { 35i64 2001i64 2i64 } output { -1475200114i32 }
-- input { 16i64 9000i64 1i64 } output { -559057309i32 }

-- ==
-- entry: leapfrog
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 584034677i32 }
-- input { 1i64 1i64 1i64 } output { 3990i32 }
-- input { 15i64 7i64 4i64 } output { 166987743i32 }
-- input { 16i64 7i64 0i64 } output { 1255437606i32 }
-- input { 16i64 7i64 1i64 } output { 783348152i32 }
-- input { 31i64 33i64 5i64 } output { 1493180477i32 }
-- input { 64i64 17i64 3i64 } output { -1090125292i32 }
-- input { 65i64 2i64 6i64 } output { -1795971318i32 }
-- input { 35i64 2001i64 2i64 } output { 859683307i32 }
-- input { 16i64 9000i64 1i64 } output { -420216418i32 }

-- ==
-- entry: swapped
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 697596972i32 }
-- input { 1i64 1i64 1i64 } output { 7703i32 }
-- input { 15i64 7i64 4i64 } output { -296783810i32 }
-- input { 16i64 7i64 0i64 } output { 1132335910i32 }
-- input { 16i64 7i64 1i64 } output { -1302627125i32 }
-- input { 31i64 33i64 5i64 } output { 486691746i32 }
-- input { 64i64 17i64 3i64 } output { -1410455166i32 }
-- input { 65i64 2i64 6i64 } output { -845896779i32 }
-- input { 35i64 2001i64 2i64 } output { 926848932i32 }
-- input { 16i64 9000i64 1i64 } output { 1128503007i32 }

-- ==
-- entry: types
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 1712360875i32 }
-- input { 1i64 1i64 1i64 } output { 25006444i32 }
-- input { 15i64 7i64 4i64 } output { 456717079i32 }
-- input { 16i64 7i64 0i64 } output { -2094246882i32 }
-- input { 16i64 7i64 1i64 } output { 1523459613i32 }
-- input { 31i64 33i64 5i64 } output { -1004173032i32 }
-- input { 64i64 17i64 3i64 } output { 544985238i32 }
-- input { 65i64 2i64 6i64 } output { 1971008316i32 }
-- input { 35i64 2001i64 2i64 } output { -808474068i32 }
-- input { 16i64 9000i64 1i64 } output { -879512315i32 }

-- ==
-- entry: nested
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 502918752i32 }
-- input { 1i64 1i64 1i64 } output { 755i32 }
-- input { 15i64 7i64 4i64 } output { 1680878818i32 }
-- input { 16i64 7i64 0i64 } output { 234464122i32 }
-- input { 16i64 7i64 1i64 } output { -672729647i32 }
-- input { 31i64 33i64 5i64 } output { -138515464i32 }
-- input { 64i64 17i64 3i64 } output { 232638289i32 }
-- input { 65i64 2i64 6i64 } output { -1239757291i32 }
-- input { 35i64 2001i64 2i64 } output { -509518862i32 }
-- input { 16i64 9000i64 1i64 } output { 699193527i32 }

-- ==
-- entry: also_read
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 551588307i32 }
-- input { 1i64 1i64 1i64 } output { 2944i32 }
-- input { 15i64 7i64 4i64 } output { 1520820357i32 }
-- input { 16i64 7i64 0i64 } output { 117587441i32 }
-- input { 16i64 7i64 1i64 } output { 1144063217i32 }
-- input { 31i64 33i64 5i64 } output { -694186552i32 }
-- input { 64i64 17i64 3i64 } output { -690672559i32 }
-- input { 65i64 2i64 6i64 } output { 1589570485i32 }
-- input { 35i64 2001i64 2i64 } output { 938136088i32 }
-- input { 16i64 9000i64 1i64 } output { -843689735i32 }

-- ==
-- entry: until
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 502918752i32 }
-- input { 1i64 1i64 1i64 } output { 455i32 }
-- input { 15i64 7i64 4i64 } output { -2012666947i32 }
-- input { 16i64 7i64 0i64 } output { 1234269491i32 }
-- input { 16i64 7i64 1i64 } output { 454901801i32 }
-- input { 31i64 33i64 5i64 } output { -1493812659i32 }
-- input { 64i64 17i64 3i64 } output { 497325385i32 }
-- input { 65i64 2i64 6i64 } output { 1526877490i32 }
-- input { 35i64 2001i64 2i64 } output { -971042391i32 }
-- input { 16i64 9000i64 1i64 } output { -149437315i32 }

-- ==
-- entry: heat
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 493375702i32 }
-- input { 1i64 1i64 1i64 } output { 227i32 }
-- input { 15i64 7i64 4i64 } output { -884116685i32 }
-- input { 16i64 7i64 0i64 } output { -1108011078i32 }
-- input { 16i64 7i64 1i64 } output { 488025868i32 }
-- input { 31i64 33i64 5i64 } output { 1531156873i32 }
-- input { 64i64 17i64 3i64 } output { -679275403i32 }
-- input { 65i64 2i64 6i64 } output { 314119952i32 }
-- input { 35i64 2001i64 2i64 } output { 1320278485i32 }
-- input { 16i64 9000i64 1i64 } output { -1395386947i32 }

-- ==
-- entry: grid
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 502918752i32 }
-- input { 1i64 1i64 1i64 } output { -684626i32 }
-- input { 15i64 7i64 4i64 } output { 2079580550i32 }
-- input { 16i64 7i64 0i64 } output { 1766709276i32 }
-- input { 16i64 7i64 1i64 } output { -885461755i32 }
-- input { 31i64 33i64 5i64 } output { -566931959i32 }
-- input { 64i64 17i64 3i64 } output { -1571030415i32 }
-- input { 65i64 2i64 6i64 } output { -333721344i32 }
-- input { 35i64 2001i64 2i64 } output { -93715050i32 }
-- input { 16i64 9000i64 1i64 } output { -815063997i32 }

-- ==
-- entry: both_rows
-- input { 0i64 5i64 3i64 } output { 153i32 }
-- input { 5i64 0i64 3i64 } output { -1660787945i32 }
-- input { 1i64 1i64 1i64 } output { 5646i32 }
-- input { 15i64 7i64 4i64 } output { -1803259761i32 }
-- input { 16i64 7i64 0i64 } output { 1526892633i32 }
-- input { 16i64 7i64 1i64 } output { -1477587261i32 }
-- input { 31i64 33i64 5i64 } output { 878726453i32 }
-- input { 64i64 17i64 3i64 } output { -1262482764i32 }
-- input { 65i64 2i64 6i64 } output { 379185448i32 }
-- input { 35i64 2001i64 2i64 } output { -254987111i32 }
-- input { 16i64 9000i64 1i64 } output { -2072104799i32 }

-- ==
-- entry: in_branches
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 502918752i32 }
-- input { 1i64 1i64 1i64 } output { 1131i32 }
-- input { 15i64 7i64 4i64 } output { 2112366413i32 }
-- input { 16i64 7i64 0i64 } output { 1177968137i32 }
-- input { 16i64 7i64 1i64 } output { -427858395i32 }
-- input { 31i64 33i64 5i64 } output { -1139867329i32 }
-- input { 64i64 17i64 3i64 } output { -1928762094i32 }
-- input { 65i64 2i64 6i64 } output { -1495888799i32 }
-- input { 35i64 2001i64 2i64 } output { 1351385488i32 }
-- input { 16i64 9000i64 1i64 } output { 1133723817i32 }

-- ==
-- entry: deep
-- input { 0i64 5i64 3i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 } output { 502918752i32 }
-- input { 1i64 1i64 1i64 } output { -261944317i32 }
-- input { 15i64 7i64 4i64 } output { 1004931552i32 }
-- input { 16i64 7i64 0i64 } output { 234464122i32 }
-- input { 16i64 7i64 1i64 } output { 805529457i32 }
-- input { 31i64 33i64 5i64 } output { 479458519i32 }
-- input { 64i64 17i64 3i64 } output { -1812565999i32 }
-- input { 65i64 2i64 6i64 } output { -1841914155i32 }
-- input { 35i64 2001i64 2i64 } output { -101472190i32 }
-- input { 16i64 9000i64 1i64 } output { 1579023281i32 }

-- ==
-- entry: fails
-- input { 0i64 5i64 3i64 0i64 } output { 17i32 }
-- input { 5i64 0i64 3i64 0i64 } output { 502918752i32 }
-- input { 33i64 5i64 2i64 0i64 } output { -1650536899i32 }
-- input { 33i64 5i64 4i64 33i64 } output { 1772811597i32 }
-- input { 33i64 5i64 4i64 20i64 }
-- error: Index \[20\] out of bounds for array of shape \[5\]
-- input { 16i64 5i64 4i64 3i64 }
-- error: Index \[5\] out of bounds for array of shape \[5\]
-- input { 7i64 5i64 4i64 2i64 }
-- error: Index \[5\] out of bounds for array of shape \[5\]

def rnd (i: i64) : i32 = i32.i64 (i * 7919 % 1009) - 300

def sum1 (xs: []i32) : i32 = loop s = 17 for x in xs do s * 31 + x

-- one array, made by a recurrence
entry recur (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let u =
                        loop u = tabulate m (\i -> rnd (p + i)) for _k < t do
                          let r =
                            tabulate m (\i ->
                                          if i == 0 || i == m - 1 then u[i]
                                          else u[i - 1] + 3 * u[i] - u[i + 1])
                          let (d, _) =
                            loop (d, q) = (replicate m 0, 1) for i < m do
                              let v = r[i] + 3 * q in (d with [i] = v, v ^ 5)
                          in d
                      in if m > 0 then u[m / 2] else 7))

-- the whole array is the result
entry rows (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (flatten (tabulate n (\p ->
                               loop u = tabulate m (\i -> rnd (p + i))
                               for k < t do
                                 let (d, _) =
                                   loop (d, q) = (replicate m 0, 1) for i < m do
                                     let v = u[m - 1 - i] + 3 * q + i32.i64 k
                                     in (d with [i] = v, (v ^ 5) * 3)
                                 in d)))

-- begins with a row of another array
entry from_rows [n] [m] (t: i64) (xss: [n][m]i32) : [n]i32 =
  map (\xs ->
         let u =
           loop u = xs for k < t do
             let (d, _) =
               loop (d, q) = (replicate m 0, 1) for i < m do
                 let v = u[m - 1 - i] + 3 * q + i32.i64 k
                 in (d with [i] = v, (v ^ 5) * 3)
             in d
         in sum1 u + sum1 xs)
      xss
entry begins_with_rows (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (from_rows t (tabulate_2d n m (\i j -> rnd (i * 3 + j))))

-- two arrays that change places
entry leapfrog (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let (u, v) =
                        loop (u, v) = ( tabulate m (\i -> rnd (p + i))
                                      , replicate m (i32.i64 p)
                                      )
                        for _k < t do
                          let (w, _) =
                            loop (w, q) = (replicate m 0, 1) for i < m do
                              let x = 2 * v[i] - u[i] + q
                              in (w with [i] = x, x ^ 9 + q * 3)
                          in (v, w)
                      in sum1 u * 5 + sum1 v))

-- arrays swapped without anything new, and one new
entry swapped (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let (u, v, w) =
                        loop (u, v, w) = ( tabulate m (\i -> rnd (p + i))
                                         , replicate m (i32.i64 p)
                                         , replicate m 3
                                         )
                        for _k < t do
                          let (x, _) =
                            loop (x, q) = (replicate m 0, 1) for i < m do
                              let y = v[i] + 3 * w[i] - u[m - 1 - i] + q
                              in (x with [i] = y, y ^ 9 + q * 3)
                          in (w, x :> [m]i32, v)
                      in sum1 u * 5 + sum1 v + 7 * sum1 w))

-- the array of types and sizes of its own
entry types (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let (u, v) =
                        loop (u, v) = ( tabulate m (\i -> rnd (p + i))
                                      , tabulate (m + 3) (\i -> i16.i64 (p + i))
                                      )
                        for _k < t do
                          let (w, q) =
                            loop (w, q) = (replicate m 0, 1) for i < m do
                              let x = 2 * i32.i16 v[i] - u[i] + q
                              in (w with [i] = x, x ^ 9 + q * 3)
                          let (z, _) =
                            loop (z, q) = (replicate (m + 3) 0, i16.i32 q)
                            for i < m + 3 do
                              let x = v[m + 2 - i] + q
                              in (z with [i] = x, x ^ 9 + q * 3)
                          in (w, z)
                      in sum1 u * 5 + sum1 (map i32.i16 v)))

-- loops in loops, whose arrays go on
entry nested (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let u =
                        loop u = tabulate m (\i -> rnd (p + i)) for k < t do
                          let u =
                            loop u for j < k % 3 do
                              let (w, _) =
                                loop (w, q) = (replicate m 0, 1) for i < m do
                                  let x = 2 * u[m - 1 - i] + q
                                  in (w with [i] = x, x ^ 9 + q * 3 + i32.i64 j)
                              in w
                          let (w, _) =
                            loop (w, q) = (replicate m 0, 1) for i < m do
                              let x = 2 * u[i] - u[m - 1 - i] + q
                              in (w with [i] = x, x ^ 9 + q * 3)
                          in w
                      in sum1 u))

-- the first array is read in each round, and after the loop
entry also_read (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let (a, _) =
                        loop (a, q) = (replicate m 0, i32.i64 p) for i < m do
                          (a with [i] = q ^ 77, q * 5 + 3)
                      let u =
                        loop u = a for _k < t do
                          let (w, _) =
                            loop (w, q) = (replicate m 0, 1) for i < m do
                              let x = 2 * u[i] - a[m - 1 - i] + q
                              in (w with [i] = x, x ^ 9 + q * 3)
                          in w
                      in sum1 u + 3 * sum1 a))

-- a condition of each point's own
entry until (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let (u, _) =
                        loop (u, k) = (tabulate m (\i -> rnd (p + i)), 0)
                        while k < t + p % 3 do
                          let (w, _) =
                            loop (w, q) = (replicate m 0, 1) for i < m do
                              let x = 2 * u[m - 1 - i] + q
                              in (w with [i] = x, x ^ 9 + q * 3)
                          in (w, k + 1)
                      in sum1 u))

-- a check that fails in a round
entry fails (n: i64) (m: i64) (t: i64) (bad: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let u =
                        loop u = tabulate m (\i -> rnd (p + i)) for k < t do
                          let (w, _) =
                            loop (w, q) = (replicate m 0, 1) for i < m do
                              let x =
                                2
                                * u[if p >= bad && k == 2 then i + p
                                    else m - 1 - i]
                                + q
                              in (w with [i] = x, x ^ 9 + q * 3)
                          in w
                      in sum1 u))

-- explicit scheme
entry heat (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let u =
                        loop u = tabulate m (\i -> rnd (p + i)) for _k < t do
                          tabulate m (\i ->
                                        if i == 0 || i == m - 1 then u[i]
                                        else 3 * u[i - 1]
                                             + (1 - 2 * i32.i64 p) * u[i]
                                             + 5 * u[i + 1])
                      in if m > 0 then u[m / 2] else 7))

-- arrays of two dimensions
entry grid (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let u =
                        loop u = tabulate_2d m 3 (\i j -> rnd (p + i * j))
                        for k < t do
                          tabulate_2d m 3 (\i j ->
                                             u[m - 1 - i, j]
                                             + 3 * u[i, 2 - j]
                                             + i32.i64 (p ^ k))
                      in sum1 (flatten u)))

-- both arrays are results, one of them also by its maximum
entry both_rows (n: i64) (m: i64) (t: i64) : i32 =
  let (us, vs, xs) =
    unzip3 (tabulate n (\p ->
                          let (u, v) =
                            loop (u, v) = ( tabulate m (\i -> rnd (p + i))
                                          , replicate m (i32.i64 p)
                                          )
                            for _k < t do
                              let (w, _) =
                                loop (w, q) = (replicate m 0, 1) for i < m do
                                  let x = 2 * v[i] - u[m - 1 - i] + q
                                  in (w with [i] = x, x ^ 9 + q * 3)
                              in (v, w)
                          in (u, v, i32.maximum u)))
  in sum1 (flatten us) * 5 + sum1 (flatten vs) * 3 + sum1 xs

-- only some points have a loop, and of as many rounds as they say
entry in_branches (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let (a, _) =
                        loop (a, q) = (replicate m 0, i32.i64 p) for i < m do
                          (a with [i] = q ^ 77, q * 5 + 3)
                      in if p % 3 == 1
                         then sum1 (loop u = a for _k < t do
                                      let (w, _) =
                                        loop (w, q) = (replicate m 0, 1)
                                        for i < m do
                                          let x = 2 * u[m - 1 - i] + q
                                          in (w with [i] = x, x ^ 9 + q * 3)
                                      in w)
                         else sum1 a))

-- rounds inside of points inside of points
entry deep (n: i64) (m: i64) (t: i64) : i32 =
  sum1 (tabulate n (\p ->
                      let xs =
                        loop xs = tabulate m (\i -> rnd (p + i)) for k < t do
                          let ys =
                            tabulate m (\i ->
                                          let u =
                                            loop u = tabulate 5 (\j ->
                                                                   xs[i]
                                                                   * i32.i64 j)
                                            for h < 3 do
                                              let (w, _) =
                                                loop (w, q) = (replicate 5 0, 1)
                                                for j < 5 do
                                                  let x =
                                                    2 * u[4 - j] + q + i32.i64 h
                                                  in ( w with [j] = x
                                                     , x ^ 9 + q * 3
                                                     )
                                              in w
                                          in sum1 u)
                          let (w, _) =
                            loop (w, q) = (replicate m 0, 1) for i < m do
                              let x = 2 * ys[m - 1 - i] + q + i32.i64 k
                              in (w with [i] = x, x ^ 9 + q * 3)
                          in w
                      in sum1 xs))
