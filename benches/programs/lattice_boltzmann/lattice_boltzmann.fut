-- A lattice-Boltzmann fluid in two dimensions with nine velocities, on a torus with obstacles from which
-- it bounces back.
-- ==
-- random input { 20i32 1.6f32 [256][256]f32 [256][256]u8 }
-- input { 3i32 1.6f32 [[0f32, 0f32], [0f32, 0f32]] [[255u8, 0u8], [255u8, 255u8]] }
-- output { [[1f32, 1f32], [1f32, 1f32]] [[0f32, 0f32], [0f32, 0f32]] }

-- Densities by direction: at rest, along the axes, along the diagonals.
type cell = {c: f32, n: f32, s: f32, e: f32, w: f32, ne: f32, nw: f32, se: f32, sw: f32}

def equilibrium (rho: f32) (ux: f32) (uy: f32) : cell =
  let square = 1.5 * (ux * ux + uy * uy)
  let part weight u = weight * rho * (1 + 3 * u + 4.5 * u * u - square)
  in { c = part (4 / 9) 0
     , n = part (1 / 9) uy, s = part (1 / 9) (-uy), e = part (1 / 9) ux, w = part (1 / 9) (-ux)
     , ne = part (1 / 36) (ux + uy), nw = part (1 / 36) (uy - ux)
     , se = part (1 / 36) (ux - uy), sw = part (1 / 36) (-ux - uy) }

def combine (f: f32 -> f32 -> f32) (a: cell) (b: cell) : cell =
  { c = f a.c b.c, n = f a.n b.n, s = f a.s b.s, e = f a.e b.e, w = f a.w b.w
  , ne = f a.ne b.ne, nw = f a.nw b.nw, se = f a.se b.se, sw = f a.sw b.sw }

def density (f: cell) : f32 = f.c + f.n + f.s + f.e + f.w + f.ne + f.nw + f.se + f.sw

def collide (omega: f32) (f: cell) : cell =
  let rho = density f
  let ux = (f.e + f.ne + f.se - f.w - f.nw - f.sw) / rho
  let uy = (f.n + f.ne + f.nw - f.s - f.se - f.sw) / rho
  in combine (\f e -> f + omega * (e - f)) f (equilibrium rho ux uy)

def bounce (f: cell) : cell =
  {c = f.c, n = f.s, s = f.n, e = f.w, w = f.e, ne = f.sw, nw = f.se, se = f.nw, sw = f.ne}

-- What arrives at a cell from those around it.
def stream [h] [w] (cells: [h][w]cell) (i: i64) (j: i64) : cell =
  let up = if i == h - 1 then 0 else i + 1
  let down = if i == 0 then h - 1 else i - 1
  let right = if j == w - 1 then 0 else j + 1
  let left = if j == 0 then w - 1 else j - 1
  in { c = cells[i, j].c
     , n = cells[down, j].n, s = cells[up, j].s, e = cells[i, left].e, w = cells[i, right].w
     , ne = cells[down, left].ne, nw = cells[down, right].nw
     , se = cells[up, left].se, sw = cells[up, right].sw }

def step [h] [w] (omega: f32) (solid: [h][w]bool) (cells: [h][w]cell) : [h][w]cell =
  tabulate_2d h w (\i j ->
    let f = stream cells i j
    in if solid[i, j] then bounce f else collide omega f)

entry main [h] [w] (steps: i32) (omega: f32) (speeds: [h][w]f32) (walls: [h][w]u8)
         : ([h][w]f32, [h][w]f32) =
  let solid = map (map (\b -> b < 16)) walls
  let start = map (map (\s -> equilibrium 1 (0.1 * s) 0)) speeds
  let cells = iterate steps (step omega solid) start
  let speed f = (f.e + f.ne + f.se - f.w - f.nw - f.sw) / density f
  in (map (map density) cells, map (map speed) cells)
