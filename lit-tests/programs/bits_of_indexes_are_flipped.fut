-- Elements whose indexes differ from one's own in some bits, few enough to be in the same vector or not.

-- Flipping bits twice is nothing: who reads at `i ^ bits` gets what a scatter to there puts.
def agree [n] 't (eq: t -> t -> bool) (zero: t) (xs: [n]t) (bits: i64) : bool =
  let there = scatter (replicate n zero) (map (^ bits) (iota n)) xs
  let here = opaque (map (\i -> xs[i ^ bits]) (iota n))
  in and (map2 eq here there)

def all_bits [n] 't (eq: t -> t -> bool) (zero: t) (xs: [n]t) (most: i64) : bool =
  loop ok = true for bits < most do agree eq zero xs bits && ok

-- | Of every width of elements.
-- ==
-- entry: widths
-- input { 256i64 256i64 }
-- output { true true true true true true }
-- input { 80i64 16i64 }
-- output { true true true true true true }
-- input { 1000i64 8i64 }
-- output { true true true true true true }
-- input { 3i64 1i64 }
-- output { true true true true true true }
entry widths (n: i64) (most: i64) : (bool, bool, bool, bool, bool, bool) =
  let is = map (\i -> i * 2654435761 % 1000003) (iota n)
  in ( all_bits (==) 0 (map i8.i64 is) most
     , all_bits (==) 0 (map u16.i64 is) most
     , all_bits (==) 0 (map f32.i64 is) most
     , all_bits (==) 0 is most
     , all_bits (==) false (map (\i -> i % 3 == 0) is) most
     , all_bits (==) 0 (map f16.i64 (map (% 1000) is)) most
     )

-- | A butterfly: both elements of a pair, and who is the upper one.
-- ==
-- entry: butterfly
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] 1i64 }
-- output { [3i32, -1i32, 7i32, -1i32, 11i32, -1i32, 15i32, -1i32] }
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] 4i64 }
-- output { [6i32, 8i32, 10i32, 12i32, -4i32, -4i32, -4i32, -4i32] }
-- input { [1i32, 2i32, 3i32] 1i64 }
-- error: Index \[3\] out of bounds for array of shape \[3\]
entry butterfly [n] (xs: [n]i32) (d: i64) : [n]i32 =
  tabulate n (\i -> if i & d == 0 then xs[i] + xs[i ^ d] else xs[i ^ d] - xs[i])

-- | Walsh and Hadamard's transformation: the sum of all, and that of even places less that of odd ones.
-- ==
-- entry: walsh
-- input { 64i64 }
-- output { 2016i64 -32i64 }
entry walsh (n: i64) : (i64, i64) =
  let (xs, _) =
    loop (xs, d) = (iota n, 1) while d < n do
      (tabulate n (\i -> if i & d == 0 then xs[i] + xs[i ^ d] else xs[i ^ d] - xs[i]), 2 * d)
  in (xs[0], xs[1])

-- | The first that fails is told, wherever it lies in a vector.
-- ==
-- entry: fails
-- input { 100i64 64i64 }
-- error: Index \[100\] out of bounds
-- input { 100i64 3i64 }
-- output { 34650i64 }
-- input { 102i64 3i64 }
-- error: Index \[103\] out of bounds
-- input { 64i64 -1i64 }
-- error: Index \[-1\] out of bounds
entry fails (n: i64) (bits: i64) : i64 =
  let ys = opaque (map (* 7) (iota n))
  in i64.sum (opaque (map (\i -> ys[i ^ bits]) (iota n)))
