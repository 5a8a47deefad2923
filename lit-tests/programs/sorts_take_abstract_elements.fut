-- | A library of sorts over abstract element types.
--
-- Each is a parametric module, so that keys may be anything ordered.

-- ==
-- entry: merge_i32 quick_i32 radix_i32 bitonic_i32 insertion_i32 bubble_i32
-- input { [5, 2, 8, 1, 9, 3, -4, 7, 0, 6, 2] }
-- output { [-4, 0, 1, 2, 2, 3, 5, 6, 7, 8, 9] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [1] } output { [1] }
-- input { [2, 1] } output { [1, 2] }
-- input { [-1, -1, 2147483647, -2147483648] } output { [-2147483648, -1, -1, 2147483647] }

-- ==
-- entry: by_key
-- input { [3i64, 1i64, 2i64, 1i64] [1f32, 2f32, 3f32, 4f32] }
-- output { [1i64, 1i64, 2i64, 3i64] [2f32, 4f32, 3f32, 1f32] }

-- ==
-- entry: radix_f32
-- input { [3.5f32, -1f32, 0f32, 2.25f32, -7.5f32] } output { [-7.5f32, -1f32, 0f32, 2.25f32, 3.5f32] }

-- ==
-- entry: segments
-- input { [3, 1, 2, 9, 8, 7, 1] [true, false, false, true, false, true, false] }
-- output { [1, 2, 3, 8, 9, 1, 7] }

module type ordered = {
  type t
  val (<=): t -> t -> bool
}

module type sort = {
  type t
  -- | Sort an array into ascending order.
  val sort [n]: [n]t -> [n]t
}

-- | Bottom-up merging by computing ranks.
module merge_sort (O: ordered): sort with t = O.t = {
  type t = O.t

  local def rank_in [n] (lt: t -> t -> bool) (xs: [n]t) (x: t): i64 =
    let (lo, _) =
      loop (lo, hi) = (0, n) while lo < hi do
        let mid = lo + (hi - lo) / 2
        in if lt xs[mid] x then (mid + 1, hi) else (lo, mid)
    in lo

  local def merge [n] [m] (xs: [n]t) (ys: [m]t): [n + m]t =
    let less a b = !(b O.<= a)
    let leq a b = a O.<= b
    let is = map2 (\i x -> i + rank_in less ys x) (iota n) xs
    let js = map2 (\j y -> j + rank_in leq xs y) (iota m) ys
    in if n + m == 0
       then (xs ++ ys)
       else let v = if n > 0 then xs[0] else ys[0]
            in scatter (replicate (n + m) v) (is ++ js) (xs ++ ys)

  def sort [n] (xs: [n]t): [n]t =
    let (res, _) =
      loop (xs, w) = (copy xs, 1) while w < n do
        let starts = map (* (2 * w)) (iota ((n + 2 * w - 1) / (2 * w)))
        let out =
          loop out = copy xs for s in starts do
            let mid = i64.min n (s + w)
            let end = i64.min n (s + 2 * w)
            let merged = merge xs[s:mid] xs[mid:end]
            in out with [s:end] = (merged :> [end - s]t)
        in (out, w * 2)
    in res
}

-- | Quicksort by repeated partitioning with a stack of bounds.
module quick_sort (O: ordered) = {
  type t = O.t
  def sort [n] (xs: [n]t): [n]t =
    let stack0 = replicate (n + 2) (0, n)
    let (out, _, _) =
      loop (xs, stack: *[](i64, i64), sp) = (copy xs, stack0, 1)
      while sp > 0 do
        let (lo, hi) = copy stack[sp - 1]
        in if hi - lo < 2
           then (xs, stack, sp - 1)
           else
             let pivot = xs[lo]
             let part = xs[lo + 1:hi]
             let (ls, gs) = partition (\x -> x O.<= pivot) part
             let k = length ls
             let joined = ls ++ [pivot] ++ gs
             let xs = xs with [lo:hi] = sized (hi - lo) joined
             let stack = stack with [sp - 1] = (lo, lo + k)
             let stack = stack with [sp] = (lo + k + 1, hi)
             in (xs, stack, sp + 1)
    in out
}

module insertion_sort (O: ordered): sort with t = O.t = {
  type t = O.t
  def sort [n] (xs: [n]t): [n]t =
    let out = copy xs
    in loop out for i in 1..<(i64.max 1 n) do
         if i >= n then out else
         let x = copy out[i]
         let (out, j) =
           loop (out, j) = (out, i) while j > 0 && !(out[j - 1] O.<= x) do
             let y = copy out[j - 1]
             in (out with [j] = y, j - 1)
         in out with [j] = x
}

module bubble_sort (O: ordered) : { include sort with t = O.t } = {
  type t = O.t
  def sort [n] (xs: [n]t): [n]t =
    loop xs = copy xs for p < n do
      map (\i ->
             let start = p % 2
             let left = (i - start) % 2 == 0 && i >= start && i + 1 < n
             let right = (i - start) % 2 == 1 && i - 1 >= start
             in if left then (if xs[i] O.<= xs[i+1] then xs[i] else xs[i+1])
                else if right then (if xs[i-1] O.<= xs[i] then xs[i] else xs[i-1])
                else xs[i])
          (iota n)
}

-- | Bitonic sorting of arrays padded to a power of two.
module bitonic_sort (O: { include ordered val highest: t }): sort with t = O.t = {
  type t = O.t
  local def log2 (n: i64): i64 =
    (.1) (loop (x, l) = (1, 0) while x < n do (x * 2, l + 1))

  def sort [n] (xs: [n]t): [n]t =
    let d = log2 n
    let m = 1 << d
    let padded = concat xs (replicate (m - n) O.highest)
    let sorted =
      loop a = padded for p < d do
        loop a for q in p..p-1...0 do
          let k = 1 << q
          in tabulate (n + (m - n)) (\i ->
               let up1 = ((i >> (p + 1)) & 1) == 0
               let j = i ^ k
               let v = a[i]
               let w = a[j]
               in if i < j
                  then (if up1 == (v O.<= w) then v else w)
                  else (if up1 == (w O.<= v) then v else w))
    in sorted[:n]
}

module type has_bits = { type t val num_bits: i32 val get_bit: i32 -> t -> i32 }

def radix_step 't [n] (bit: t -> i32) (xs: [n]t): [n]t =
  let bits = map bit xs
  let neg = map (1 -) bits
  let off0 = scan (+) 0 neg |> map i64.i32
  let total0 = if n == 0 then 0 else last off0
  let off1 = map i64.i32 (scan (+) 0 bits) |> map (+ total0)
  let dest = map3 (\b i0 i1 -> if b == 0 then i0 - 1 else i1 - 1) bits off0 off1
  in scatter (copy xs) dest xs

def radix_sort [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): [n]t =
  loop xs for i < num_bits do radix_step (get_bit i) xs

def radix_sort_int [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): [n]t =
  let flipped i x = let b = get_bit i x in if i == num_bits - 1 then 1 - b else b
  in radix_sort num_bits flipped xs

def radix_sort_float [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): [n]t =
  let b' i x =
    let sign = get_bit (num_bits - 1) x
    in if sign == 1 then 1 - get_bit i x
       else if i == num_bits - 1 then 1 else get_bit i x
  let fix i x = if i == num_bits - 1 then 1 - get_bit i x else b' i x
  in radix_sort num_bits fix xs

module ms = merge_sort i32
module qs = quick_sort i32
module is' = insertion_sort i32
module bs = bubble_sort i32
module bi = bitonic_sort i32

entry merge_i32 = ms.sort
entry quick_i32 (xs: []i32) = qs.sort xs
entry radix_i32 = radix_sort_int i32.num_bits i32.get_bit
entry bitonic_i32 [n] (xs: [n]i32) : [n]i32 = bi.sort xs
entry insertion_i32 = is'.sort
entry bubble_i32 = bs.sort

entry by_key [n] (ks: [n]i64) (vs: [n]f32) =
  let module_free = zip ks vs
  in unzip (radix_sort_int i64.num_bits (\i (k, _) -> i64.get_bit i k) module_free)

entry radix_f32 = radix_sort_float f32.num_bits f32.get_bit

module ksort = merge_sort { type t = (i64, i32) def (<=) (a: t) (b: t) = a.0 < b.0 || (a.0 == b.0 && a.1 <= b.1) }

entry segments [n] (xs: [n]i32) (flags: [n]bool): [n]i32 =
  let segs = scan (+) 0 (map i64.bool flags)
  in map (.1) (ksort.sort (zip segs xs))
