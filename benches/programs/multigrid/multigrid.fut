-- Poisson's equation on a square whose border is held at zero, by V-cycles of a multigrid method: relaxation on a
-- grid, its residual on one of half the resolution, and so on; corrections come back by interpolation. All grids
-- lie in one array, the finest first, since they have different sizes. Grids have 2^k - 1 points each way.
-- ==
-- random input { 4i32 [511][511]f32 }
-- input { 2i32 [[0f32, 5f32, 3f32, 1f32, 6f32, 4f32, 2f32], [3f32, 1f32, 6f32, 4f32, 2f32, 0f32, 5f32], [6f32, 4f32,
--         2f32, 0f32, 5f32, 3f32, 1f32], [2f32, 0f32, 5f32, 3f32, 1f32, 6f32, 4f32], [5f32, 3f32, 1f32, 6f32, 4f32,
--         2f32, 0f32], [1f32, 6f32, 4f32, 2f32, 0f32, 5f32, 3f32], [4f32, 2f32, 0f32, 5f32, 3f32, 1f32, 6f32]] }
-- output { [[0.0417071f32, 0.0865879f32, 0.0996584f32, 0.0972966f32, 0.107173f32, 0.084432f32, 0.0497107f32],
--          [0.0809252f32, 0.127874f32, 0.169063f32, 0.168031f32, 0.154401f32, 0.119332f32, 0.0838355f32], [0.108227f32,
--          0.160205f32, 0.188397f32, 0.189979f32, 0.193237f32, 0.155576f32, 0.0890863f32], [0.0991507f32, 0.155246f32,
--          0.204682f32, 0.211961f32, 0.19646f32, 0.175121f32, 0.102388f32], [0.103155f32, 0.158043f32, 0.186767f32,
--          0.211163f32, 0.191607f32, 0.153414f32, 0.0840145f32], [0.0784829f32, 0.141613f32, 0.159218f32, 0.162336f32,
--          0.144556f32, 0.133071f32, 0.0813931f32], [0.0545488f32, 0.0778863f32, 0.0850689f32, 0.104242f32,
--          0.0925829f32, 0.0757304f32, 0.0625525f32]] }

-- Outside of a grid all is zero.
def at [s] (u: [s][s]f32) (i: i64) (j: i64) : f32 =
  if i >= 0 && i < s && j >= 0 && j < s then u[i, j] else 0

def around [s] (u: [s][s]f32) (i: i64) (j: i64) : f32 =
  (at u (i - 1) j + at u (i + 1) j) + (at u i (j - 1) + at u i (j + 1))

-- Sweeps of damped relaxation; f counts in units of the grid's own distance.
def relax [s] (sweeps: i32) (f: [s][s]f32) (u: [s][s]f32) : *[s][s]f32 =
  iterate sweeps (\u -> tabulate_2d s s (\i j -> 0.2 * u[i, j] + 0.2 * (f[i, j] + around u i j))) (copy u)

def residual [s] (f: [s][s]f32) (u: [s][s]f32) : [s][s]f32 =
  tabulate_2d s s (\i j -> f[i, j] - (4 * u[i, j] - around u i j))

-- Weighted means, times four as the distance is twice as large.
def restrict [s] (half: i64) (r: [s][s]f32) : *[half][half]f32 =
  let mean i j =
    let (i, j) = (2 * i + 1, 2 * j + 1)
    let corners = (r[i - 1, j - 1] + r[i - 1, j + 1]) + (r[i + 1, j - 1] + r[i + 1, j + 1])
    let sides = (r[i - 1, j] + r[i + 1, j]) + (r[i, j - 1] + r[i, j + 1])
    in r[i, j] + 0.5 * sides + 0.25 * corners
  in tabulate_2d half half mean

-- Adds what lies between the points of a coarser grid.
def correct [s] [half] (coarse: [half][half]f32) (u: [s][s]f32) : [s][s]f32 =
  let between i j =
    let (a, b) = ((i - 1) >> 1, i >> 1)
    let (c, d) = ((j - 1) >> 1, j >> 1)
    in 0.25 * ((at coarse a c + at coarse a d) + (at coarse b c + at coarse b d))
  in tabulate_2d s s (\i j -> u[i, j] + between i j)

def side (n: i64) (level: i64) : i64 = ((n + 1) >> level) - 1

-- Where a grid begins.
def start (n: i64) (level: i64) : i64 = loop sum = 0 for l < level do sum + side n l * side n l

def grid [t] (all: [t]f32) (n: i64) (level: i64) (s: i64) : [s][s]f32 =
  let from = start n level
  in unflatten (all[from:from + s * s] :> [s * s]f32)

def cycle [n] (levels: i64) (f: [n][n]f32) (u: [n][n]f32) : [n][n]f32 =
  let total = start n levels
  let put [s] (all: *[total]f32) level (u: [s][s]f32) : *[total]f32 =
    let from = start n level
    in all with [from:from + s * s] = (flatten u :> [from + s * s - from]f32)
  let fs = put (replicate total 0) 0 f
  let us = put (replicate total 0) 0 u
  let (fs, us) =
    loop (fs, us) for level < levels - 1 do
      let s = side n level
      let f = grid fs n level s
      let u = relax 2 f (grid us n level s)
      let coarser = restrict (side n (level + 1)) (residual f u)
      in (put fs (level + 1) coarser, put us level u)
  let last = levels - 1
  let s = side n last
  let us = put us last (relax 8 (grid fs n last s) (grid us n last s))
  let us =
    loop us for up < levels - 1 do
      let level = levels - 2 - up
      let s = side n level
      let u = correct (grid us n (level + 1) (side n (level + 1))) (grid us n level s)
      in put us level (relax 2 (grid fs n level s) u)
  in copy (grid us n 0 n)

entry main [n] (cycles: i32) (f: [n][n]f32) : [n][n]f32 =
  -- So many grids that the coarsest has at most three points each way.
  let levels = loop l = 1 while side n (l - 1) > 3 do l + 1
  let distance = 1 / f32.i64 (n + 1)
  let f = map (map (* (distance * distance))) f
  in iterate cycles (cycle levels f) (replicate n (replicate n 0))
