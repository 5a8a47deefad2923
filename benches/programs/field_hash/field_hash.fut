-- A sponge over a prime field, after the design of Poseidon: the state of eight elements goes through rounds
-- of adding constants, fifth powers (of all elements in the outer rounds, of the first in the inner
-- ones) and a matrix. Each message has as many blocks of four elements.
-- ==
-- random input { [30][8]u32 [10000][2][4]u32 }
-- input { [[1u32, 2u32, 3u32, 4u32, 5u32, 6u32, 7u32, 8u32],
--          [9u32, 10u32, 11u32, 12u32, 13u32, 14u32, 15u32, 16u32],
--          [17u32, 18u32, 19u32, 20u32, 21u32, 22u32, 23u32, 24u32]]
--         [[[1u32, 2u32, 3u32, 4u32]], [[4294967295u32, 2147483647u32, 0u32, 7u32]]] }
-- output { [[1501116001u32, 364078617u32, 917217643u32, 2054793113u32], [2022435264u32, 476196333u32,
--          1732506569u32, 496621499u32]] }

module type field = {
  type t
  val from : u32 -> t
  val to : t -> u32
  val zero : t
  val + : t -> t -> t
  val * : t -> t -> t
  -- The sum of elements with weights that are below 2 to the 24.
  val weigh [n] : [n]u32 -> [n]t -> t
}

-- The integers modulo a prime below 2 to the 32.
module prime_field (P: {val p : u64}) : field with t = u64 = {
  type t = u64
  def from x = u64.u32 x % P.p
  def to x = u32.u64 x
  def zero = 0u64
  def a + b = let c = a u64.+ b in if c >= P.p then c - P.p else c
  def a * b = (a u64.* b) % P.p
  def weigh [n] (ws: [n]u32) (xs: [n]t) = u64.sum (map2 (\w x -> u64.u32 w u64.* x) ws xs) % P.p
}

module sponge (F: field) = {
  type state = [8]F.t

  def fifth (x: F.t) : F.t =
    let x2 = F.(x * x)
    in F.(x2 * x2 * x)

  -- A circulant matrix.
  def mix (s: state) : state =
    let row = [7, 1, 3, 8, 8, 3, 4, 9]
    in tabulate 8 (\i -> F.weigh (rotate (-i) row) s)

  def round (outer: bool) (constants: state) (s: state) : state =
    let s = map2 (F.+) s constants
    let s = if outer then map fifth s else copy s with [0] = fifth s[0]
    in mix s

  def permute [r] (constants: [r]state) (s: state) : state =
    loop s for i < r do round (i < 4 || i >= r - 4) constants[i] s

  def absorb [r] (constants: [r]state) (s: state) (block: [4]F.t) : state =
    permute constants (map2 (F.+) s (block ++ replicate 4 F.zero :> state))

  def hash [r] [b] (constants: [r]state) (blocks: [b][4]F.t) : [4]F.t =
    take 4 (foldl (absorb constants) (replicate 8 F.zero) blocks)
}

module mersenne = prime_field {def p = 2147483647u64}
module mersenne_sponge = sponge mersenne

entry main [n] [b] [r] (constants: [r][8]u32) (messages: [n][b][4]u32) : [n][4]u32 =
  let constants = map (map mersenne.from) constants
  let hash message = mersenne_sponge.hash constants (map (map mersenne.from) message)
  in map (map mersenne.to) (map hash messages)
