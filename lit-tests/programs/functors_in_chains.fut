-- Functor chains, size-parametric abstract types, lifted abstract types, include and with refinements,
-- constants specified without a size.
-- ==
-- entry: stacks
-- input { [1, 2, 3] } output { 3 2 [0, 0, 0, 1] 1i64 }

-- ==
-- entry: chains
-- input { 5 } output { 12 "x=5" 32 }

-- ==
-- entry: images
-- input { } output { [[9, 9], [0, 9]] 27 }

-- ==
-- entry: delayed
-- input { 4 } output { 20 8 }

-- ==
-- entry: refined
-- input { 3i64 } output { 9i64 6i64 true }

module type stack = {
  type~ stack 'a
  val empty 'a : a -> (cap: i64) -> *stack a
  val push 'a : a -> *stack a -> *stack a
  val pop 'a : *stack a -> (*stack a, a)
  val size 'a : stack a -> i64
}

module array_stack : stack = {
  type~ stack 'a = ?[n].{size: i64, data: [n]a}
  def empty 'a (z: a) (cap: i64) : *stack a = {size = 0, data = replicate cap z}
  def push 'a (x: a) (s: *stack a) : *stack a =
    let i = s.size
    in {size = i + 1, data = s.data with [i] = x}
  def pop 'a (s: *stack a) : (*stack a, a) =
    let i = s.size - 1
    let x = copy s.data[i]
    in ({size = i, data = s.data}, x)
  def size 'a (s: stack a) = s.size
}

entry stacks (xs: []i32) =
  let s = array_stack.empty 0i32 10
  let s = array_stack.push xs[0] s
  let s = array_stack.push xs[1] s
  let s = array_stack.push xs[2] s
  let (s, a) = array_stack.pop s
  let (s, b) = array_stack.pop s
  let onehot = tabulate 4 (\i -> i32.bool (i == i64.i32 a))
  in (a, b, onehot, array_stack.size s)

module type show = { type t val show : t -> []u8 }
module type num = { type t val + : t -> t -> t val * : t -> t -> t val of_i32 : i32 -> t }
module type shownum = { include num include show with t = t }

module type showable_num = { type n include num with t = n val show : n -> []u8 }

module type transform = (N: num) -> { val apply : N.t -> N.t }

module twice (T: (N: num) -> { val apply : N.t -> N.t }) (N: num) = {
  module A = T N
  def apply (x: N.t) = A.apply (A.apply x)
}
module inc (N: num) = { def apply (x: N.t) = N.(x + of_i32 1) }
module dbl (N: num) : { val apply : N.t -> N.t } = { def apply (x: N.t) : N.t = N.(x * of_i32 2) }
module seq (F: (N: num) -> { val apply : N.t -> N.t }) (G: (N: num) -> { val apply : N.t -> N.t }) (N: num) = {
  module f = F N
  module g = G N
  def apply x = g.apply (f.apply x)
}
module ints = { type t = i32 def (+) (a: t) (b: t) = a i32.+ b def (*) (a: t) (b: t) = a i32.* b def of_i32 (x: i32) = x }
module chain = seq inc dbl ints
module quad = twice (twice dbl) (ints : num with t = i32)
module labelled = \(S: { val name : []u8 }) -> { def show (x: i32) = S.name ++ "=" ++ [u8.i32 x + '0'] }
module lab = labelled { def name = "x" }

entry chains (x: i32) = (chain.apply x, lab.show x, quad.apply 2)

module type image = {
  type pixel
  type image [h] [w]
  val create : (h: i64) -> (w: i64) -> (i64 -> i64 -> pixel) -> image [h] [w]
  val map [h] [w] : (pixel -> pixel) -> image [h] [w] -> image [h] [w]
  val zip_with [h] [w] : (pixel -> pixel -> pixel) -> image [h] [w] -> image [h] [w] -> image [h] [w]
  val pixels [h] [w] : image [h] [w] -> [h][w]pixel
}
module mk_image (P: { type t }) : image with pixel = P.t = {
  type pixel = P.t
  type image [h] [w] = {rows: [h][w]P.t}
  def create h w f = {rows = tabulate_2d h w f}
  def map f (im: image [] []) = {rows = map (map f) im.rows}
  def zip_with [h] [w] f (a: image [h] [w]) (b: image [h] [w]) : image [h] [w] =
    {rows = map2 (map2 f) a.rows b.rows}
  def pixels [h] [w] (im: image [h] [w]) : [h][w]P.t = im.rows
}
module gray = mk_image { type t = i32 }

entry images =
  let a = gray.create 2 2 (\i j -> if i <= j then 3 else 0)
  let b = gray.zip_with (*) a (gray.map (+ 0) a)
  let p = gray.pixels b
  in (p, i32.sum (flatten p))

module type lazy = { type^ lazy '^a val delay '^a : (() -> a) -> lazy a val force '^a : lazy a -> a val map '^a '^b : (a -> b) -> lazy a -> lazy b }
module lazy : lazy = {
  type^ lazy '^a = () -> a
  def delay '^a (f: () -> a) : lazy a = f
  def force '^a (l: lazy a) : a = l ()
  def map '^a '^b (f: a -> b) (l: lazy a) : lazy b = \() -> f (l ())
}
entry delayed (x: i32) =
  let l = lazy.map (* x) (lazy.delay (\() -> 5))
  let g = lazy.force (lazy.delay (\() -> \y -> y + x))
  in (lazy.force l, g x)

module type collection = { type elem type coll [n] val from [n] : [n]elem -> coll [n] val fold [n] 'b : (b -> elem -> b) -> b -> coll [n] -> b }
module arr (E: { type t }) : collection with elem = E.t with coll [n] = [n]E.t = {
  type elem = E.t
  type coll [n] = [n]elem
  def from [n] (xs: [n]elem) : coll [n] = xs
  def fold f z xs = foldl f z xs
}
module sum_of (C: collection with elem = i64) = { def sum [n] (c: C.coll [n]) = C.fold (+) 0 c }
module ac = arr i64
module sc = sum_of ac
entry refined (n: i64) = (sc.sum (ac.from (replicate n n)), ac.fold (+) 0 (1...n), length (ac.from (iota n)) == n)
