-- Temporaries of loops and of threads, of several widths, in a few blocks.

def neighbours [n] 't (xs: [n]t) : [n](t, t) =
  tabulate n (\i -> (xs[i], xs[(i + 1) % n]))

def stages [n] (xs: [n]i64) : [n]i64 =
  let a = scan (+) 0 xs
  let b = scan i32.max 0 (map (\(x, y) -> i32.i64 (x - y)) (neighbours a))
  let c = map (+ 1) (scan (+) 0 (map (\(x, y) -> i64.i32 (x + 2 * y)) (neighbours b)))
  let d = scan f32.max 0 (map (\(x, y) -> f32.i64 (y - x) / 2) (neighbours c))
  let e = scan (+) 0 (map (\(x, y) -> u8.f32 x ^ u8.f32 y) (neighbours d))
  in map (\(x, y) -> i64.u8 x * 3 - i64.u8 y) (neighbours e)

-- ==
-- entry: in_a_loop
-- input { 1i64 [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [-14i64, 28i64, 28i64, 14i64, 84i64] }
-- input { 3i64 [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [-255i64, 510i64, 510i64, 511i64, 762i64] }
-- input { 4i64 empty([0]i64) }
-- output { empty([0]i64) }
entry in_a_loop [n] (k: i64) (xs: [n]i64) : [n]i64 =
  loop ys = xs for _i < k do stages ys

-- ==
-- entry: in_threads
-- input { [[1i64, 2i64, 3i64, 4i64, 5i64], [300i64, -20i64, 5i64, 77i64, 1i64]] }
-- output { [[-14i64, 28i64, 28i64, 14i64, 84i64], [-87i64, 174i64, 174i64, 87i64, 522i64]] }
entry in_threads [n][m] (xss: [n][m]i64) : [n][m]i64 =
  map stages xss

-- One array lives across the loop, others only inside of it; branches have their own.
-- ==
-- entry: across
-- input { [3i64, 1i64, 2i64, 5i64] }
-- output { [2923i64, 1223i64, 2059i64, 1419i64] }
entry across [n] (xs: [n]i64) : [n]i64 =
  map (\x ->
         let a = map (+ x) (scan (+) 0 xs)
         let (b, _) =
           loop (s, t) = (0, x) for i < n do
             let c = scan i64.max t (map (\(y, z) -> y - 2 * z) (neighbours a))
             let d = map (+ i) (scan (+) 0 (map (uncurry (*)) (neighbours c)))
             let e = if s % 2 == 0
                     then scan (+) 0 (map (uncurry (+)) (neighbours d))
                     else scan i64.min 0 (map (uncurry (-)) (neighbours d))
             in (s + i64.sum (map (uncurry (^)) (neighbours e)) % 1000, t + 1)
         in b + i64.sum (map (uncurry (*)) (neighbours a)))
      xs
