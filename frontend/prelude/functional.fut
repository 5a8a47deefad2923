-- | Functions about functions, and repetition. After inlining they cost nothing themselves.

-- | Apply the function on the right to the value on the left: `xs |> map f |> reduce op ne`.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | Apply the function on the left to the value on the right: `f <| g <| x`.
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | Composition, left to right: `(f >-> g) x` is `g (f x)`.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | Composition, right to left: `(g <-< f) x` is `g (f x)`.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | The function with its two parameters exchanged.
def flip '^a '^b '^c (f: a -> b -> c) (b: b) (a: a) : c = f a b

-- | Make a function of a pair take its parameters one at a time.
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b) : c = f (a, b)

-- | Make a function of two parameters take a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (a: a, b: b) : c = f a b

-- | The first of two values: `const x` is the function that always returns `x`.
def const '^a '^b (x: a) (_: b) : a = x

-- | The value itself.
def id '^a (x: a) : a = x

-- | Apply `f` to `x`, `n` times over; `x` itself if `n` is not positive.
--
-- **Work:** *O(n × W(f))*  **Span:** *O(n × S(f))*
def iterate 'a (n: i32) (f: a -> a) (x: a) : a =
  loop x for _i < n do f x

-- | Apply `f` until `p` holds of the result; `x` itself if it holds already.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop x while !(p x) do f x

-- | Apply `f` as long as `p` holds.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop x while p x do f x
