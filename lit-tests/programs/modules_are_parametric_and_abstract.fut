-- Parametric modules, abstract types, opened and local modules, and types with parameters.
-- ==
-- entry: functors
-- input { [1, 2, 3, 4] } output { 10i32 24i32 4i32 }

-- ==
-- entry: abstract
-- input { [3, 1, 2] } output { 6i32 3i64 2.0f64 }

-- ==
-- entry: opened
-- input { 5i32 } output { 6i32 10i32 15i32 }

-- ==
-- entry: vectors
-- input { [1.0f32, 2.0f32, 3.0f32] [4.0f32, 5.0f32, 6.0f32] } output { 32.0f32 [5.0f32, 7.0f32, 9.0f32] }

-- ==
-- entry: sized
-- input { 3i32 } output { [3i32, 3i32, 3i32, 3i32] 12i32 }

module type monoid = {
  type t
  val (<>) : t -> t -> t
  val neutral : t
}

module mk_fold (M: monoid) = {
  def fold [n] (xs: [n]M.t) : M.t = reduce (M.<>) M.neutral xs
}

module sum = mk_fold { type t = i32 def (<>) = (i32.+) def neutral : t = 0 }
module product = mk_fold { type t = i32 def (<>) (x: t) (y: t) = x * y def neutral : t = 1 }
module greatest : { val fold [n] : [n]i32 -> i32 } =
  mk_fold { type t = i32 def (<>) = i32.max def neutral = i32.lowest }

entry functors [n] (xs: [n]i32) = (sum.fold xs, product.fold xs, greatest.fold xs)

module type statistics = {
  type t
  val empty : t
  val add : t -> i32 -> t
  val total : t -> i32
  val count : t -> i64
  val mean : t -> f64
}

module statistics : statistics = {
  type t = {total: i32, count: i64}
  def empty : t = {total = 0, count = 0}
  def add (s: t) (x: i32) : t = {total = s.total + x, count = s.count + 1}
  def total (s: t) = s.total
  def count (s: t) = s.count
  def mean (s: t) = f64.i32 s.total / f64.i64 s.count
}

entry abstract [n] (xs: [n]i32) =
  let s = foldl statistics.add statistics.empty xs
  in (statistics.total s, statistics.count s, statistics.mean s)

module inner = {
  def step (x: i32) = x + 1
  module deeper = { def step (x: i32) = x * 2 }
}

local module hidden = { def triple (x: i32) = 3 * x }
local open hidden

entry opened (x: i32) =
  let a = inner.(step x)
  let b = inner.deeper.step x
  in (a, b, triple x)

module type space = {
  type t
  type vector [n] = [n]t
  val dot [n] : vector [n] -> vector [n] -> t
  val add [n] : vector [n] -> vector [n] -> vector [n]
}

module mk_space (R: real) : space with t = R.t = {
  type t = R.t
  type vector [n] = [n]t
  def dot [n] (xs: vector [n]) (ys: vector [n]) : t = R.sum (map2 (R.*) xs ys)
  def add [n] (xs: vector [n]) (ys: vector [n]) : vector [n] = map2 (R.+) xs ys
}

module space32 = mk_space f32

entry vectors [n] (xs: space32.vector [n]) (ys: space32.vector [n]) =
  (space32.dot xs ys, space32.add xs ys)

module type size = { val n : i64 }

module mk_sized (S: size) = {
  type block = [S.n]i32
  def fill (x: i32) : block = replicate S.n x
  def total (b: block) : i32 = i32.sum b
}

module four = mk_sized { def n = 4i64 }

entry sized (x: i32) = let b = four.fill x in (b, four.total b)
