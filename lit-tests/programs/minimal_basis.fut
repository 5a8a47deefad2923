-- The array functions of the minimal-basis article, written over map, iota and scatter alone, agree
-- with the built-in ones.
-- ==
-- entry: structural
-- input { [1, 2, 3, 4, 5] [10, 20, 30] }
-- output { true true true true true }
-- input { empty([0]i32) [7] }
-- output { true true true true true }

-- ==
-- entry: folds
-- input { [1, -2, 3, 4, 5, 9, 11] }
-- output { true true true true true }
-- input { [1] }
-- output { true true true true true }
-- input { empty([0]i32) }
-- output { true true true true true }
-- random input { [1000]i32 }
-- output { true true true true true }

-- ==
-- entry: streams
-- input { [3, -1, 4, 1, -5] }
-- output { true true }

-- ==
-- entry: dotprod
-- input { [1, 2, 3] [4, 5, 6] }
-- output { 32 32 }

module basis = {
  def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : [n](a, b) =
    map (\i -> (as[i], bs[i])) (iota n)

  def replicate 'a (n: i64) (x: a) : *[n]a =
    map (\_ -> x) (iota n)

  def concat 't (xs: []t) (ys: []t) : []t =
    map (\i -> if i < length xs then xs[i] else ys[i - length xs])
        (iota (length xs + length ys))

  def rotate 't (r: i64) (xs: []t) : []t =
    map (\i -> xs[(i + r) % length xs]) (iota (length xs))

  def iota_by_scan (n: i64) : [n]i64 =
    map (\x -> x - 1) (scan (+) 0 (replicate n 1))

  def div_rounding_up x y : i64 = (x + y - 1) / y

  def reduce_tree 'a (op: a -> a -> a) (ne: a) (as: []a) : a =
    let as' =
      loop as while length as > 1 do
        map (\i ->
               let x = if i * 2 >= length as then ne else as[i * 2]
               let y = if i * 2 + 1 >= length as then ne else as[i * 2 + 1]
               in x `op` y)
            (iota (length as `div_rounding_up` 2))
    in if length as' == 0 then ne else as'[0]

  def num_threads : i64 = 128

  def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a =
    let chunk_size = n `div_rounding_up` num_threads
    let partial_results =
      map (\t ->
             loop x = ne for i < chunk_size do
               let j = t + i * num_threads
               in if j < n then x `op` as[j] else x)
          (iota num_threads)
    in reduce_tree op ne partial_results

  -- Hillis and Steele.
  def scan [n] 'a (op: a -> a -> a) (_ne: a) (as: [n]a) : [n]a =
    let iters = i64.f32 (f32.ceil (f32.log2 (f32.i64 n)))
    in loop as for i < iters do
         map (\j -> if j < 2 ** i then as[j] else as[j - 2 ** i] `op` as[j]) (iota n)

  def filter 'a (p: a -> bool) (as: []a) : []a =
    let keep = map (\a -> if p a then 1 else 0) as
    let offsets = intrinsics.scan (+) 0 keep
    let num_to_keep = intrinsics.reduce (+) 0 keep
    in if num_to_keep == 0
       then []
       else scatter (replicate num_to_keep as[0])
                    (map (\(i, k) -> if k == 1 then i - 1 else -1) (zip offsets keep))
                    as

  def stream_map 'a 'b (f: (c: i64) -> [c]a -> [c]b) (as: []a) : []b =
    as |> sized (length as * 1) |> unflatten |> map (f 1) |> flatten

  def stream_red 'a 'b (op: b -> b -> b) (f: (c: i64) -> [c]a -> b) (as: []a) : b =
    as |> sized (length as * 1) |> unflatten |> map (f 1) |> intrinsics.reduce op (f 0 [])
}

def equal [n] [m] (xs: [n]i32) (ys: [m]i32) : bool =
  n == m && and (map2 (==) xs (sized n ys))

entry structural [n] [m] (xs: [n]i32) (ys: [m]i32) : (bool, bool, bool, bool, bool) =
  ( and (map2 (\(a, b) (c, d) -> a == c && b == d) (basis.zip xs xs) (zip xs xs))
  , equal (basis.replicate 5 (length xs |> i32.i64)) (replicate 5 (i32.i64 (length xs)))
  , equal (basis.concat xs ys) (xs ++ ys)
  , equal (basis.rotate 2 xs) (rotate 2 xs) && equal (basis.rotate (-1) ys) (rotate (-1) ys)
  , and (map2 (==) (basis.iota_by_scan 10) (iota 10))
  )

entry folds [n] (xs: [n]i32) : (bool, bool, bool, bool, bool) =
  let first_nonzero (a: i32) (b: i32) = if a == 0 then b else a
  in ( basis.reduce_tree (+) 0 xs == reduce (+) 0 xs
     -- Associative, but not commutative.
     , basis.reduce_tree first_nonzero 0 xs == reduce first_nonzero 0 xs
     , basis.reduce (+) 0 xs == reduce (+) 0 xs
     , equal (basis.scan (+) 0 xs) (scan (+) 0 xs)
     , equal (basis.filter (> 0) xs) (filter (> 0) xs)
     )

entry streams [n] (xs: [n]i32) : (bool, bool) =
  ( equal (basis.stream_map (\c (chunk: [c]i32) -> map (+ 1) chunk) xs) (map (+ 1) xs)
  , basis.stream_red (+) (\c (chunk: [c]i32) -> reduce (+) 0 chunk) xs == reduce (+) 0 xs
  )

entry dotprod [n] (xs: [n]i32) (ys: [n]i32) : (i32, i32) =
  ( reduce (+) 0 (map (\(x, y) -> x * y) (zip xs ys))
  , basis.reduce (+) 0 (map (\(x, y) -> x * y) (basis.zip xs ys))
  )
