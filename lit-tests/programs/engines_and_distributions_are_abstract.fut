-- Random number engines with abstract state, engine adaptors, distributions.
-- ==
-- entry: dice
-- input { 42 10i64 } output { true true }

-- ==
-- entry: known
-- input { } output { [16807u32, 282475249u32, 1622650073u32, 984943658u32] }

-- ==
-- entry: shuffled
-- input { 1 [1,2,3,4,5,6,7,8] } output { 36 8i64 }

-- ==
-- entry: normal
-- input { 7 2000i64 } output { true true }

-- ==
-- entry: uniformity
-- input { 3 4000i64 } output { true }

-- ==
-- entry: split_join
-- input { 5 } output { true }

module type rng_int = { type t include integral with t = t }

module type rng_engine = {
  -- | A module describing the type of values produced by this engine.
  module int: integral
  -- | The state of the engine.
  type rng
  val rand: rng -> (rng, int.t)
  val rng_from_seed [n]: [n]i32 -> rng
  val split_rng: (n: i64) -> rng -> [n]rng
  val join_rng [n]: [n]rng -> rng
  val min: int.t
  val max: int.t
}

module type rng_distribution = {
  module engine: rng_engine
  module num: numeric
  type distribution
  val rand: distribution -> engine.rng -> (engine.rng, num.t)
}

local def hash (x: i32): i32 =
  let x = u32.i32 x
  let x = ((x >> 16) ^ x) * 0x45d9f3b
  let x = ((x >> 16) ^ x) * 0x45d9f3b
  let x = ((x >> 16) ^ x)
  in i32.u32 x

module linear_congruential_engine
  (T: integral)
  (P: { val a: T.t val c: T.t val m: T.t }): rng_engine with int.t = T.t with rng = T.t = {
  type t = T.t
  type rng = t
  module int = T

  def rand (x: rng): (rng, t) =
    let x' = T.((P.a * x + P.c) %% P.m)
    in (x', x')

  def rng_from_seed [n] (seed: [n]i32) =
    let seed' =
      loop seed' = 1 for i < n do
        u32.(((seed' >> 16) ^ seed') ^ (u32.i32 seed[i] ^ 0b1010101010101))
    in (rand (T.u32 seed')).0

  def split_rng (n: i64) (x: rng): [n]rng =
    map (\i -> (rand T.(x ^ i32 (hash (i32.i64 i)))).0) (iota n)

  def join_rng [n] (xs: [n]rng): rng =
    reduce (T.^) (T.i32 0) xs

  def min = T.i32 0
  def max = P.m T.- T.i32 1
}

module subtract_with_carry
  (T: integral)
  (P: { val w: i32 val s: i32 val r: i32 }): rng_engine with int.t = T.t = {
  module int = T
  type rng = { x: [8]T.t, carry: bool, k: i32 }
  def r = assert (P.r <= 8 && P.s < P.r) P.r
  def modulus = T.(i32 1 << i32 P.w)
  def rand ({x, carry, k}: rng): (rng, T.t) =
    let short = k - P.s
    let short = if short < 0 then short + r else short
    let v = x[short] T.- x[k] T.- T.bool carry
    let (v, carry) = if T.(v < i32 0) then (v T.+ modulus, true) else (v, false)
    in ({x = copy x with [k] = v, carry, k = (k + 1) % r}, v)
  def rng_from_seed [n] (seed: [n]i32): rng =
    let h = loop h = 17 for s in seed do hash (h ^ s)
    in { x = map (\i -> T.(i32 (i32.abs (hash (h i32.+ i32.i64 i))) %% modulus)) (iota 8)
       , carry = false
       , k = 0 }
  def split_rng (n: i64) (g: rng): [n]rng =
    tabulate n (\i -> g with x = map (\v -> T.((v + i64 i) %% modulus)) g.x)
  def join_rng [n] (gs: [n]rng): rng = assert (n > 0) gs[0]
  def min = T.i32 0
  def max = modulus T.- T.i32 1
}

module discard_block_engine (K: { val p: i32 val r: i32 }) (E: rng_engine)
  : rng_engine with int.t = E.int.t = {
  module int = E.int
  type rng = (E.rng, i32)
  def min = E.min
  def max = E.max
  def rng_from_seed xs = (E.rng_from_seed xs, 0)
  def rand ((g, i): rng): (rng, int.t) =
    let (g, i) =
      if i >= K.r
      then (loop g for _j < K.r - i + K.p do (E.rand g).0, 0)
      else (g, i)
    let (g, x) = E.rand g
    in ((g, i + 1), x)
  def split_rng n (g, i) = map (\g -> (g, i)) (E.split_rng n g)
  def join_rng [n] (gs: [n]rng) = let (gs, is) = unzip gs in (E.join_rng gs, i32.maximum is)
}

module uniform_int_distribution (D: integral) (E: rng_engine)
  : rng_distribution with engine.rng = E.rng
                     with engine.int.t = E.int.t
                     with num.t = D.t
                     with distribution = (D.t, D.t) = {
  module engine = E
  module num = D
  type distribution = (D.t, D.t)
  local def to_D (x: E.int.t) = D.u64 (u64.i64 (E.int.to_i64 x))
  def rand ((lo, hi): distribution) (g: E.rng) =
    let (g, x) = E.rand g
    in (g, lo D.+ to_D x D.%% (hi D.- lo D.+ D.i32 1))
}

module uniform_real_distribution (R: real) (E: rng_engine)
  : rng_distribution with num.t = R.t with engine.rng = E.rng with engine.int.t = E.int.t with distribution = (R.t, R.t) = {
  module engine = E
  module num = R
  type distribution = (R.t, R.t)
  local def to_R (x: E.int.t) = R.i64 (E.int.to_i64 x)
  def rand ((lo, hi): distribution) (g: E.rng) =
    let (g, x) = E.rand g
    let u = R.((to_R x - to_R E.min) / (to_R E.max - to_R E.min))
    in (g, R.(lo + u * (hi - lo)))
}

module normal_distribution (R: real) (E: rng_engine)
  : rng_distribution with num.t = R.t
                     with engine.rng = E.rng
                     with engine.int.t = E.int.t
                     with distribution = {mean: R.t, stddev: R.t} = {
  module U = uniform_real_distribution R E
  module engine = U.engine
  module num = R
  type distribution = {mean: R.t, stddev: R.t}
  open R
  def rand ({mean, stddev}: distribution) (g: engine.rng) =
    let (g, u1) = U.rand (i32 0, i32 1) g
    let (g, u2) = U.rand (i32 0, i32 1) g
    let r = sqrt (i32 (-2) * log (max u1 (from_fraction 1 1000000000)))
    let theta = i32 2 * pi * u2
    in (g, mean + stddev * (r * cos theta))
}

module shuffle (E: rng_engine) = {
  def knuth [n] 't (g: E.rng) (xs: *[n]t): (E.rng, *[n]t) =
    loop (g, xs) for i in n-1..n-2...1 do
      let (g, v) = E.rand g
      let j = (E.int.to_i64 v) % (i + 1)
      let x = copy xs[i]
      let y = copy xs[j]
      in (g, xs with [i] = y with [j] = x)
}

module minstd_rand: rng_engine with int.t = u32 with rng = u32 =
  linear_congruential_engine u32 {
    def a: u32 = 48271
    def c: u32 = 0
    def m: u32 = 2147483647
  }
module minstd0 = linear_congruential_engine u64 { def a = 16807u64 def c = 0u64 def m = 2147483647u64 }
module ranlux0 = subtract_with_carry i32 { def w = 24i32 def s = 3i32 def r = 8i32 }
module ranlux = discard_block_engine { def p = 23i32 def r = 5i32 } ranlux0

module dist = uniform_int_distribution i32 minstd_rand
module gauss = normal_distribution f64 ranlux
module unif = uniform_real_distribution f32 minstd_rand
module shuf = shuffle ranlux

entry dice (seed: i32) (n: i64) =
  let g = minstd_rand.rng_from_seed [seed]
  let gs = minstd_rand.split_rng n g
  let (_, xs) = unzip (map (dist.rand (1, 6)) gs)
  in (all (\x -> x >= 1 && x <= 6) xs, i32.sum xs < 61)

entry known =
  let rs = replicate 4 0
  let (_, rs) = loop (g, rs) = (1, rs) for i < 4 do
    let (g, x) = minstd0.rand g
    in (g, rs with [i] = x)
  in map u32.u64 rs

entry shuffled (seed: i32) (xs: []i32) =
  let (_, ys) = shuf.knuth (ranlux.rng_from_seed [seed, 1]) (copy xs)
  in (reduce (+) 0 ys, length ys)

entry normal (seed: i32) (n: i64) =
  let gs = ranlux.split_rng n (ranlux.rng_from_seed [seed])
  let gs = map (\(i, g) -> loop g for _k < 20 + i32.i64 (i % 7) do (ranlux.rand g).0) (zip (iota n) gs)
  let xs = map (\g -> (gauss.rand {mean = 10, stddev = 2} g).1) gs
  let mean = f64.sum xs / f64.i64 n
  let var = f64.sum (map (\x -> (x - mean) ** 2) xs) / f64.i64 n
  in (f64.abs (mean - 10) < 1.5, var > 0.1 && var < 20)

entry uniformity (seed: i32) (n: i64) =
  let g = minstd_rand.rng_from_seed [seed]
  let xs = map (unif.rand (0, 10)) (minstd_rand.split_rng n g) |> map (.1)
  let bins = hist (+) 0 10 (map (\x -> i64.f32 (f32.floor x)) xs) (map (const 1i32) xs)
  in all (> 200) bins

entry split_join (seed: i32) =
  let g = minstd_rand.rng_from_seed [seed]
  let a = minstd_rand.(rand (join_rng (split_rng 5 g)))
  let b = minstd_rand.rand (minstd_rand.join_rng (minstd_rand.split_rng 5 g))
  in a.1 == b.1 && a.0 == b.0
