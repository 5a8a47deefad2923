-- Lenia, a continuous cellular automaton (Bert Chan, 2019): in each step every cell sees the mean of a
-- ring around it, by a convolution through Fourier space, and grows or shrinks after it. The world is a
-- torus whose sides are powers of two.
-- ==
-- random input { 24i32 0.1f32 [256][256]f32 }
-- input { 2i32 0.25f32 [[0f32, 0.5f32, 1f32, 0f32], [1f32, 0.25f32, 0.75f32, 0f32],
--         [0f32, 0f32, 0f32, 0.25f32], [0f32, 0.5f32, 0f32, 0.25f32]] }
-- output { [[0.0f32, 0.0f32, 0.19525626f32, 0.11069834f32], [0.371932f32, 0.0f32, 0.08543539f32,
--          0.03741941f32], [0.36369345f32, 0.2899247f32, 0.287484f32, 0.589033f32], [0.234326f32, 0.393119f32,
--          0.14643125f32, 0.51762867f32]] }

module mk_complex (R: real) = {
  type real = R.t
  type complex = {re: R.t, im: R.t}

  def mk re im : complex = {re, im}
  def mk_re re : complex = mk re (R.i32 0)
  def re (a: complex) = a.re
  def conj (a: complex) = mk a.re (R.neg a.im)
  def scale (k: R.t) (a: complex) = mk (k R.* a.re) (k R.* a.im)
  def (a: complex) + (b: complex) = mk (a.re R.+ b.re) (a.im R.+ b.im)
  def (a: complex) - (b: complex) = mk (a.re R.- b.re) (a.im R.- b.im)
  def (a: complex) * (b: complex) =
    mk (a.re R.* b.re R.- a.im R.* b.im) (a.re R.* b.im R.+ a.im R.* b.re)
  def cis (phi: R.t) = mk (R.cos phi) (R.sin phi)
}

module c32 = mk_complex f32
type complex = c32.complex

-- Stockham's fast Fourier transform of lines whose lengths are powers of two.
module fourier = {
  def roots (n: i64) : [n]complex =
    tabulate n (\k -> c32.cis (-2 * f32.pi * f32.i64 k / f32.i64 n))

  def line [n] (roots: [n]complex) (xs: [n]complex) : [n]complex =
    let half = n / 2
    let butterflies (xs: [n]complex) (size: i64) =
      tabulate n (\i ->
        let (block, k) = (i / (2 * size), i % (2 * size))
        let (even, odd) = (block * size + k % size, block * size + k % size + half)
        let twiddle = roots[k * (half / size)]
        in c32.(xs[even] + twiddle * xs[odd]))
    let (xs, _) = loop (xs, size) = (copy xs, 1) while size < n do (butterflies xs size, 2 * size)
    in xs

  def forward [n] [m] (xs: [n][m]complex) : [n][m]complex =
    let lines [a] [b] (xs: [a][b]complex) = map (line (roots b)) xs
    in xs |> lines |> transpose |> lines |> transpose

  def inverse [n] [m] (xs: [n][m]complex) : [n][m]complex =
    let over = 1 / f32.i64 (n * m)
    in xs |> map (map c32.conj) |> forward |> map (map (\x -> c32.(scale over (conj x))))
}

def bell (mean: f32) (width: f32) (x: f32) : f32 =
  let d = (x - mean) / width
  in f32.exp (-0.5 * d * d)

-- The weights of the ring around the first cell; they add up to one.
def ring (n: i64) (m: i64) (radius: f32) : [n][m]f32 =
  let fold size i = f32.i64 (i64.min i (size - i))
  let weight i j =
    let (y, x) = (fold n i, fold m j)
    let r = f32.sqrt (x * x + y * y) / radius
    in if r < 1 then bell 0.5 0.15 r else 0
  let weights = tabulate_2d n m weight
  let total = f32.sum (map f32.sum weights)
  in map (map (/ total)) weights

def grow (dt: f32) (cell: f32) (seen: f32) : f32 =
  let growth = 2 * bell 0.15 0.05 seen - 1
  in f32.max 0 (f32.min 1 (cell + dt * growth))

def step [n] [m] (dt: f32) (kernel: [n][m]complex) (world: [n][m]f32) : [n][m]f32 =
  let seen =
    map (map c32.mk_re) world
    |> fourier.forward
    |> map2 (map2 (c32.*)) kernel
    |> fourier.inverse
  in map2 (map2 (\cell s -> grow dt cell (c32.re s))) world seen

entry main [n] [m] (steps: i32) (dt: f32) (world: [n][m]f32) : [n][m]f32 =
  let kernel = ring n m 9 |> map (map c32.mk_re) |> fourier.forward
  in iterate steps (step dt kernel) (map (map (\x -> 0.4 * x)) world)
