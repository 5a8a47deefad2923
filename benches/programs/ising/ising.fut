-- The Ising model on a torus by the heat-bath method: in each sweep the spins of one colour of a chessboard
-- are drawn anew from their neighbours, then those of the other. Every cell has a generator of its own. The
-- results are the magnetisation after each sweep and the spins in the end.
-- ==
-- random input { 20i32 0.4f64 7u32 512i64 }
-- input { 3i32 0.4f64 1u32 4i64 }
-- output { [-1.0f64, -1.0f64, -0.875f64] [[-1i8, -1i8, -1i8, -1i8], [-1i8, -1i8, -1i8, -1i8], [1i8, -1i8,
--          -1i8, -1i8], [-1i8, -1i8, -1i8, -1i8]] }

module type engine = {
  type state
  val seed : u32 -> state
  val next : state -> (state, u32)
}

-- Marsaglia's xorshift with 128 bits.
module xorshift128 : engine = {
  type state = {x: u32, y: u32, z: u32, w: u32}

  def seed (s: u32) : state =
    let mix (v: u32) =
      let v = (v ^ (v >> 16)) * 0x85ebca6b
      let v = (v ^ (v >> 13)) * 0xc2b2ae35
      in v ^ (v >> 16)
    let x = mix (s + 0x9e3779b9)
    let y = mix (x + 0x9e3779b9)
    let z = mix (y + 0x9e3779b9)
    in {x, y, z, w = mix (z + 0x9e3779b9) | 1}

  def next ({x, y, z, w}: state) : (state, u32) =
    let t = x ^ (x << 11)
    let v = w ^ (w >> 19) ^ t ^ (t >> 8)
    in ({x = y, y = z, z = w, w = v}, v)
}

-- Uniform numbers from zero up to one.
module uniform (E: engine) = {
  def next (s: E.state) : (E.state, f64) =
    let (s, v) = E.next s
    in (s, f64.u32 v / 4294967296)
}

module uniform64 = uniform xorshift128
type rng = xorshift128.state

type cell = {spin: i8, rng: rng}

-- The sum of the neighbours' spins.
def field [n] (cells: [n][n]cell) (i: i64) (j: i64) : i8 =
  let after k = if k == n - 1 then 0 else k + 1
  let before k = if k == 0 then n - 1 else k - 1
  in cells[after i, j].spin + cells[before i, j].spin + cells[i, after j].spin
     + cells[i, before j].spin

-- For each sum of neighbours from -4 by twos to 4, how likely a spin points up.
def probabilities (beta: f64) : [5]f64 =
  tabulate 5 (\k -> 1 / (1 + f64.exp (-2 * beta * f64.i64 (2 * k - 4))))

def draw (ups: [5]f64) (sum: i8) (rng: rng) : cell =
  let (rng, u) = uniform64.next rng
  in {spin = if u < ups[i64.i8 ((sum + 4) / 2)] then 1 else -1, rng}

def half_sweep [n] (ups: [5]f64) (colour: i64) (cells: [n][n]cell) : [n][n]cell =
  tabulate_2d n n (\i j ->
    if (i + j) % 2 == colour then draw ups (field cells i j) cells[i, j].rng else cells[i, j])

def magnetisation [n] (cells: [n][n]cell) : f64 =
  let sum = i64.sum (map (\row -> i64.sum (map (\c -> i64.i8 c.spin) row)) cells)
  in f64.i64 sum / f64.i64 (n * n)

entry main (sweeps: i32) (beta: f64) (seed: u32) (n: i64) : ([]f64, [n][n]i8) =
  let start i j =
    let (rng, v) = xorshift128.next (xorshift128.seed (seed + u32.i64 (i * n + j)))
    in {spin = if v & 1 == 0 then 1 else -1i8, rng}
  let ups = probabilities beta
  let (cells, ms) =
    loop (cells, ms) = (tabulate_2d n n start, replicate (i64.i32 sweeps) 0) for k < sweeps do
      let cells = cells |> half_sweep ups 0 |> half_sweep ups 1
      in (cells, ms with [k] = magnetisation cells)
  in (ms, map (map (.spin)) cells)
