-- | The parallel building blocks: second-order array combinators, and what is made of them
-- directly.
--
-- *W(f)* and *S(f)* are work and span of a function; *n* is the number of elements.

-- | Apply a function to every element.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(S(f))*
def map 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x =
  intrinsics.map f as

-- | As `map`.
def map1 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x =
  intrinsics.map f as

-- | Apply a function to the elements of two arrays.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(S(f))*
def map2 'a 'b [n] 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b) : *[n]x =
  intrinsics.map (\(a, b) -> f a b) (intrinsics.zip as bs)

-- | Apply a function to the elements of three arrays.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(S(f))*
def map3 'a 'b 'c [n] 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n]x =
  intrinsics.map (\(a, (b, c)) -> f a b c) (intrinsics.zip as (intrinsics.zip bs cs))

-- | Apply a function to the elements of four arrays.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(S(f))*
def map4 'a 'b 'c 'd [n] 'x
         (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n]x =
  intrinsics.map (\((a, b), (c, d)) -> f a b c d)
                 (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds))

-- | Apply a function to the elements of five arrays.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(S(f))*
def map5 'a 'b 'c 'd 'e [n] 'x
         (f: a -> b -> c -> d -> e -> x)
         (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : *[n]x =
  intrinsics.map (\((a, b), (c, (d, e))) -> f a b c d e)
                 (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs (intrinsics.zip ds es)))

-- | Combine all elements with an operator, in any grouping but in their order. The operator must
-- be associative and have `ne` for its neutral element.
--
-- **Work:** *O(n × W(op))*  **Span:** *O(log n × S(op))*
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a =
  intrinsics.reduce op ne as

-- | As `reduce`, in any order too: the operator must be commutative as well. This may be faster.
-- The built-in operators are known to be commutative where they are, so this is for others.
--
-- **Work:** *O(n × W(op))*  **Span:** *O(log n × S(op))*
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a =
  intrinsics.reduce_comm op ne as

-- | Element `i` of the result is the combination of elements 0 to `i`. The operator must be
-- associative and have `ne` for its neutral element.
--
-- **Work:** *O(n × W(op))*  **Span:** *O(log n × S(op))*
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  intrinsics.scan op ne as

-- | Element `i` of the result is the combination of the elements before `i`, so that the first is
-- `ne`. The operator must be as for `scan`.
--
-- **Work:** *O(n × W(op))*  **Span:** *O(log n × S(op))*
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  -- Shifting before the scan, not behind it, lets the shift be fused into its one pass.
  let before (i: i64) = if i == 0 then ne else #[unsafe] as[i - 1]
  in intrinsics.scan op ne (intrinsics.map before (intrinsics.iota n))

-- | Whether `f` holds of all elements; so it does if there are none.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(log n + S(f))*
def all [n] 'a (f: a -> bool) (as: [n]a) : bool =
  intrinsics.reduce_comm (\x y -> x && y) true (intrinsics.map f as)

-- | Whether `f` holds of any element.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(log n + S(f))*
def any [n] 'a (f: a -> bool) (as: [n]a) : bool =
  intrinsics.reduce_comm (\x y -> x || y) false (intrinsics.map f as)

-- | Update `dest`: each of `as` is combined by `f` with what is at its index in `is`. Indexes out
-- of bounds are ignored. The operator must be associative and commutative, with `ne` for its
-- neutral element. `dest` is consumed.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(n × S(f))* at worst, if all indexes are equal; *O(S(f))*
-- if all are different
def reduce_by_index 'a [k] [n]
                    (dest: *[k]a) (f: a -> a -> a) (ne: a) (is: [n]i64) (as: [n]a) : *[k]a =
  intrinsics.hist_1d dest f ne is as

-- | As `reduce_by_index`, with two indexes for each element.
def reduce_by_index_2d 'a [k] [n] [m]
                       (dest: *[k][m]a) (f: a -> a -> a) (ne: a)
                       (is: [n](i64, i64)) (as: [n]a) : *[k][m]a =
  intrinsics.hist_2d dest f ne is as

-- | As `reduce_by_index`, with three indexes for each element.
def reduce_by_index_3d 'a [k] [n] [m] [l]
                       (dest: *[k][m][l]a) (f: a -> a -> a) (ne: a)
                       (is: [n](i64, i64, i64)) (as: [n]a) : *[k][m][l]a =
  intrinsics.hist_3d dest f ne is as

-- | A generalised histogram: an array of `k` elements in which element `i` combines those of `as`
-- whose index in `is` is `i`, and is `ne` where there are none. The operator must be as for
-- `reduce_by_index`.
--
-- **Work:** *O(k + n × W(op))*  **Span:** as `reduce_by_index`
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a) : *[k]a =
  intrinsics.hist_1d (intrinsics.replicate k ne) op ne is as

-- | Update `dest`: each of `vs` is written at its index in `is`. Indexes out of bounds are ignored;
-- equal ones must come with equal values. `dest` is consumed.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def scatter 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter_1d dest is vs

-- | As `scatter`, with two indexes for each element.
def scatter_2d 't [k] [n] [l] (dest: *[k][n]t) (is: [l](i64, i64)) (vs: [l]t) : *[k][n]t =
  intrinsics.scatter_2d dest is vs

-- | As `scatter`, with three indexes for each element.
def scatter_3d 't [k] [n] [o] [l]
               (dest: *[k][n][o]t) (is: [l](i64, i64, i64)) (vs: [l]t) : *[k][n][o]t =
  intrinsics.scatter_3d dest is vs

-- | An array of `k` elements that holds each of `vs` at its index in `is`, and `x` elsewhere.
-- Indexes are as for `scatter`.
--
-- **Work:** *O(k + n)*  **Span:** *O(1)*
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter_1d (intrinsics.replicate k x) is vs

-- For every element how many of the flagged ones there are up to and including it, and how many
-- in all.
local def counts [n] (flags: [n]bool) : ([n]i64, i64) =
  let ones = intrinsics.map (\flag -> if flag then 1i64 else 0i64) flags
  let upto = intrinsics.scan (\x y -> x + y) 0i64 ones
  in (upto, if n == 0 then 0 else #[unsafe] upto[n - 1])

-- | The elements of which `p` holds, in their order.
--
-- **Work:** *O(n × W(p))*  **Span:** *O(log n + S(p))*
def filter [n] 'a (p: a -> bool) (as: [n]a) : *[]a =
  let flags = intrinsics.map p as
  let (upto, k) = counts flags
  let is = map2 (\flag i -> if flag then i - 1 else -1) flags upto
  in intrinsics.scatter_1d (#[unsafe] #[scratch] ??? : [k]a) is as

-- | The elements of which `p` holds, and the others, both in their order.
--
-- **Work:** *O(n × W(p))*  **Span:** *O(log n + S(p))*
def partition [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) =
  let flags = intrinsics.map p as
  let (upto, k) = counts flags
  -- Before element `i` there are `i - upto` elements for which `p` does not hold.
  let is = map3 (\flag c i -> if flag then c - 1 else k + i - c) flags upto (intrinsics.iota n)
  let both = intrinsics.scatter_1d (#[scratch] ??? : [n]a) is as
  in #[unsafe] (both[0:k], both[k:n] :> [n - k]a)

-- | The elements of which `p1` holds, of the others those of which `p2` holds, and the rest; all
-- in their order.
--
-- **Work:** *O(n × (W(p1) + W(p2)))*  **Span:** *O(log n + S(p1) + S(p2))*
def partition2 [n] 'a (p1: a -> bool) (p2: a -> bool) (as: [n]a)
             : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let part (a: a) : (i64, i64) = if p1 a then (1, 0) else if p2 a then (0, 1) else (0, 0)
  let parts = intrinsics.map part as
  let upto = intrinsics.scan (\(x1, x2) (y1, y2) -> (x1 + y1, x2 + y2)) (0i64, 0i64) parts
  let (k, l) = if n == 0 then (0, 0) else #[unsafe] upto[n - 1]
  let is = map3 (\(is1, is2) (c1, c2) i ->
                   if is1 == 1i64 then c1 - 1
                   else if is2 == 1i64 then k + c2 - 1
                   else k + l + i - c1 - c2)
                parts upto (intrinsics.iota n)
  let three = intrinsics.scatter_1d (#[scratch] ??? : [n]a) is as
  in #[unsafe] (three[0:k], three[k:k + l] :> [l]a, three[k + l:n] :> [n - k - l]a)

-- | Apply a function that yields an array of any size and a further value. The arrays are returned
-- one behind the other, and with them what is needed to find them again:
--
-- * how many elements each of them has, `m` in all;
-- * for each of the `m` elements, whether an array begins with it;
-- * where each array begins;
-- * the elements;
-- * the further values.
--
-- The function is applied twice to each element: to know the sizes, then for the elements.
--
-- **Work:** *O(m + n × W(f))*  **Span:** *O(log n + n × S(f))*
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a)
          : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  let size_of [k] ((bs, c): ([k]b, c)) : (i64, c) = (intrinsics.length bs, c)
  let (sizes, cs) = intrinsics.unzip (intrinsics.map (\a -> size_of (f a)) as)
  let offsets = exscan (\x y -> x + y) 0i64 sizes
  let m = if n == 0 then 0 else #[unsafe] (offsets[n - 1] + sizes[n - 1])
  -- An empty array shares its beginning with the next one, which is no harm: both write true.
  let flags = spread m false offsets (intrinsics.replicate n true)
  let elements =
    loop (elements: *[m]b) = (#[unsafe] #[scratch] ??? : [m]b) for i < n do
      let (bs, _) = f as[i]
      let size = sizes[i]
      in elements with [offsets[i]:offsets[i] + size] = (bs :> [size]b)
  in (sizes, flags, offsets, elements, cs)

-- | As `flatmap`, without the further value.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a)
           : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (sizes, flags, offsets, elements, _) = flatmap (\a -> (f a, ())) as
  in (sizes, flags, offsets, elements)
