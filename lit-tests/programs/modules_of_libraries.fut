-- More of modules: open functor applications, refinements of submodules, local types, shadowed opens,
-- parametric modules with several parameters and result signatures that mention them.
-- ==
-- entry: main
-- input { [3, 1, 2] } output { 6 [1, 2, 3] 14 "3;1;2;" }

-- ==
-- entry: graph
-- input { } output { [0i64, 1, 3] true }

-- ==
-- entry: poly
-- input { 2f64 } output { 17f64 [4f64, 6f64] 9i32 }

-- ==
-- entry: stateful
-- input { 3 } output { [3, 4, 5] 6 }

module type container = {
  module elem : { type t val show : t -> []u8 val leq : t -> t -> bool }
  val sorted [n] : [n]elem.t -> [n]elem.t
  val shown [n] : [n]elem.t -> []u8
}

module mk_container (E: { type t val show : t -> []u8 val leq : t -> t -> bool }) : container with elem.t = E.t = {
  module elem = E
  local type pair = (i64, E.t)
  local def rank [n] (xs: [n]E.t) ((i, x): pair) =
    i64.sum (map2 (\j y -> i64.bool (if E.leq y x then !(E.leq x y) || j < i else false)) (iota n) xs)
  def sorted [n] (xs: [n]E.t) = scatter (copy xs) (map (rank xs) (zip (iota n) xs)) xs
  def shown [n] (xs: [n]E.t) = loop s = "" for x in xs do s ++ E.show x ++ ";"
}

module int = { type t = i32 def show (x: t) : []u8 = [u8.i32 x + '0'] def leq (a: t) b = a <= b }
open mk_container int

module M = {
  open i32
  def dot [n] (xs: [n]t) (ys: [n]t) = sum (map2 (*) xs ys)
}

entry main (xs: []i32) = (M.sum xs, sorted xs, M.dot xs xs, shown xs)

module type order = { type t val lt : t -> t -> bool }
module type queue = { type elem type~ q val empty : () -> q val add : elem -> q -> q val min : q -> elem val rest : q -> q val null : q -> bool }
module mk_queue (O: order) : queue with elem = O.t = {
  type elem = O.t
  type~ q = []elem
  def empty () : q = []
  def add (x: elem) (q: q) : q =
    let i = i64.sum (map (\y -> i64.bool (y `O.lt` x)) q)
    in q[:i] ++ [x] ++ q[i:]
  def min (q: q) = q[0]
  def rest (q: q) : q = q[1:]
  def null (q: q) = length q == 0
}
module dijkstra (W: { include real }) (Q: queue with elem = (W.t, i64)) = {
  def run [n] (g: [n][n]W.t) (s: i64) : [n]W.t =
    let d0 = replicate n W.inf with [s] = W.i32 0
    let (d, _) =
      loop (d, q) = (d0, Q.add (W.i32 0, s) (Q.empty ())) while !(Q.null q) do
        let (du, u) = Q.min q
        let q = Q.rest q
        in if du W.> d[u] then (d, q)
           else loop (d, q) for v < n do
             let alt = du W.+ g[u, v]
             in if alt W.< d[v] then (copy d with [v] = alt, Q.add (alt, v) q) else (d, q)
    in d
}
module by_weight = { type t = (f32, i64) def lt (a: t) (b: t) = a.0 < b.0 || (a.0 == b.0 && a.1 < b.1) }
module dj = dijkstra f32 (mk_queue by_weight)

entry graph =
  let i = f32.inf
  let d = dj.run [[0, 1, 5], [i, 0, 2], [i, i, 0]] 0
  in (map i64.f32 d, d[2] == 3)

module type ring = { type t val + : t -> t -> t val * : t -> t -> t val zero : t val one : t }
module polynomial (R: ring) : {
  type poly [n] = [n]R.t
  val eval [n] : poly [n] -> R.t -> R.t
  val add [n] : poly [n] -> poly [n] -> poly [n]
  val compose : (R.t -> R.t) -> i32 -> R.t -> R.t
} = {
  type poly [n] = [n]R.t
  def eval [n] (p: poly [n]) (x: R.t) = loop acc = R.zero for i < n do R.(p[n i64.- 1 i64.- i] + x * acc)
  def add [n] (p: poly [n]) (q: poly [n]) = map2 (R.+) p q
  def compose f n x = iterate n f x
}
module pf = polynomial { open f64 def zero : t = 0 def one : t = 1 }
module pi = polynomial { open i32 def zero : t = 0 def one : t = 1 }

entry poly (x: f64) = (pf.eval [1, 2, 3] x, pf.add [1, 2] [3, 4], pi.compose (\x -> x + 3) 3 0)

module type monad = { type^ m 'a val pure 'a : a -> m a val bind 'a 'b : m a -> (a -> m b) -> m b }
module state (S: { type s }) : { include monad with m 'a = (S.s -> (a, S.s)) val get : m S.s val put : S.s -> m () } = {
  type^ m 'a = S.s -> (a, S.s)
  def pure 'a (x: a) : m a = \s -> (x, s)
  def bind 'a 'b (x: m a) (f: a -> m b) : m b = \s -> let (a, s) = x s in f a s
  def get : m S.s = \s -> (s, s)
  def put (s: S.s) : m () = \_ -> ((), s)
}
module ist = state { type s = i32 }
def tick : ist.m i32 = ist.bind ist.get (\x -> ist.bind (ist.put (x + 1)) (\_ -> ist.pure x))

entry stateful (n: i32) =
  let ((a, b, c), s) = (tick `ist.bind` \a -> ist.bind tick (\b -> ist.bind tick (\c -> ist.pure (a, b, c)))) n
  in ([a, b, c], s)
