-- Large arrays are walked several pages side by side; sums and maps are the same, with what is left
-- over of pages and chunks as well. Numbers are small, so that sums of floats are exact.
-- ==
-- entry: sums
-- input { 1048576i64 } output { 3670016i64 3670016f32 3670016f64 0f32 7f32 true }
-- input { 1048577i64 } output { 3670016i64 3670016f32 3670016f64 0f32 7f32 true }
-- input { 1310719i64 } output { 4587520i64 4587520f32 4587520f64 0f32 7f32 true }
-- input { 5000000i64 } output { 17500000i64 17500000f32 17500000f64 0f32 7f32 true }

-- ==
-- entry: maps
-- input { 4194304i64 } output { true true }
-- input { 4194449i64 } output { true true }
-- input { 4300001i64 } output { true true }

def numbers (n: i64) : [n]i64 = map (\i -> (i ^ (i >> 3)) & 7) (iota n)

entry sums (n: i64) =
  let xs = #[noinline] numbers n
  let fs = #[noinline] map f32.i64 xs
  let ds = #[noinline] map f64.i64 xs
  let bs = #[noinline] map (\x -> u8.i64 x) xs
  in ( reduce (+) 0 xs
     , f32.sum fs
     , reduce (+) 0 (map2 (\x y -> x * f64.f32 y) ds (map2 (\f x -> if x == 0 then 0 else f / f) fs xs))
     , f32.minimum fs
     , f32.maximum fs
     , reduce (+) 0 (map2 (\x b -> x - i64.u8 b) xs bs) == 0
     )

entry maps (n: i64) =
  let xs = map (\i -> f32.i64 (i & 1023)) (iota n)
  let ys = map (\x -> x * 2 + 1) (#[noinline] copy xs)
  let bs = map2 (\x y -> x < y) (#[noinline] copy xs) (#[noinline] copy ys)
  in ( and (map2 (\i y -> y == f32.i64 ((i & 1023) * 2 + 1)) (iota n) ys)
     , and bs
     )
