-- | Functions on arrays that are not about applying functions to all of their elements.
--
-- Where no cost is given, it is constant: slices, transposition and changes of shape make no
-- copy, they only describe the same elements differently.

-- | The size of the outermost dimension.
def length [n] 't (_: [n]t) : i64 = n

-- | Whether there are no elements.
def null [n] 't (_: [n]t) : bool = n == 0

-- | The first element. The array must not be empty.
def head [n] 't (x: [n]t) : t = x[0]

-- | The last element. The array must not be empty.
def last [n] 't (x: [n]t) : t = x[n - 1]

-- | All elements but the first. The array must not be empty.
def tail [n] 't (x: [n]t) : [n - 1]t = x[1:n] :> [n - 1]t

-- | All elements but the last. The array must not be empty.
def init [n] 't (x: [n]t) : [n - 1]t = x[0:n - 1] :> [n - 1]t

-- | The first `i` elements. There must be as many.
def take [n] 't (i: i64) (x: [n]t) : [i]t = x[0:i]

-- | All elements but the first `i`. There must be as many.
def drop [n] 't (i: i64) (x: [n]t) : [n - i]t = x[i:n] :> [n - i]t

-- | The same array, of which it is claimed that its size is `n`; checked when the program runs.
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | The first `n` elements, and the remaining `m`.
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) =
  (xs[0:n], xs[n:n + m] :> [m]t)

-- | The elements in opposite order.
def reverse [n] 't (x: [n]t) : [n]t = x[::-1] :> [n]t

-- | The elements of one array and behind them those of another.
--
-- **Work:** *O(n + m)*  **Span:** *O(1)*
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | As `++`, for those who prefer a name.
def concat [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The numbers from 0 to `n - 1`. It is an error if `n` is negative.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def iota (n: i64) : *[n]i64 = intrinsics.iota n

-- | The valid indexes of an array.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def indices [n] 't (_: [n]t) : *[n]i64 = intrinsics.iota n

-- | The array in which element `i` is what was element `i + r`, counted around the end; `r` may be
-- any number.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def rotate [n] 't (r: i64) (a: [n]t) : [n]t =
  -- One division for all elements; what remains is a comparison. The index is always valid.
  let shift = if n == 0 then 0 else r % n
  in intrinsics.map (\i ->
                       let j = i + shift
                       let k = if j < n then j else j - n
                       in #[unsafe] a[k])
                    (intrinsics.iota n)

-- | An array of `n` times the same element. It is an error if `n` is negative.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | As `replicate`, with the size inferred from how the result is used.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def rep 't [n] (x: t) : *[n]t = intrinsics.replicate n x

-- | The same value, in memory of its own, so that it may be consumed.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def copy 't (a: t) : *t = intrinsics.copy a

-- | As `copy`, and the elements lie in row-major order thereafter. The compiler never removes it.
--
-- **Work:** *O(n)*  **Span:** *O(1)*
def manifest 't (a: t) : *t = intrinsics.manifest a

-- | The rows one behind the other: the two outermost dimensions become one.
def flatten [n] [m] 't (xs: [n][m]t) : [n * m]t = intrinsics.flatten xs

-- | The three outermost dimensions become one.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t =
  flatten (flatten xs)

-- | The four outermost dimensions become one.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t =
  flatten (flatten (flatten xs))

-- | The outermost dimension becomes two.
def unflatten 't [n] [m] (xs: [n * m]t) : [n][m]t = intrinsics.unflatten xs

-- | The outermost dimension becomes three.
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t =
  let rows : [n * m][l]t = unflatten xs
  in unflatten rows

-- | The outermost dimension becomes four.
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t =
  let rows : [n * m * l][k]t = unflatten xs
  in unflatten_3d rows

-- | Rows become columns: the two outermost dimensions are exchanged.
def transpose [n] [m] 't (a: [n][m]t) : [m][n]t = intrinsics.transpose a

-- | Whether all elements are true; so they are if there are none.
--
-- **Work:** *O(n)*  **Span:** *O(log n)*
def and [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x && y) true xs

-- | Whether any element is true.
--
-- **Work:** *O(n)*  **Span:** *O(log n)*
def or [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x || y) false xs

-- | Combine the elements from left to right, one after the other.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(n × S(f))*
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a =
  loop acc for b in bs do f acc b

-- | Combine the elements from right to left, one after the other.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(n × S(f))*
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a =
  loop acc for b in bs[::-1] do f b acc

-- | The array whose element `i` is `f i`.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(S(f))*
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a =
  intrinsics.map f (intrinsics.iota n)

-- | The array whose element `i`, `j` is `f i j`.
--
-- **Work:** *O(n × m × W(f))*  **Span:** *O(S(f))*
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  intrinsics.map (\i -> intrinsics.map (\j -> f i j) (intrinsics.iota m)) (intrinsics.iota n)

-- | The array whose element `i`, `j`, `k` is `f i j k`.
--
-- **Work:** *O(n × m × o × W(f))*  **Span:** *O(S(f))*
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  intrinsics.map (\i -> tabulate_2d m o (\j k -> f i j k)) (intrinsics.iota n)
