-- Heat in a plate whose conductivity differs from place to place, by implicit finite differences in
-- alternating directions: each half of a step solves a tridiagonal system for every line of one
-- direction. The rim is kept at zero.
-- ==
-- random input { 20i32 2.5f32 [640][640]f32 [640][640]f32 }
-- input { 2i32 0.5f32 [[0f32, 0.5f32, 1f32], [1f32, 0.25f32, 0.75f32]]
--         [[1f32, 0.5f32, 0.25f32], [0.5f32, 1f32, 1f32]] }
-- output { [[0.42249766f32, 0.18322453f32, 0.07266603f32], [0.12569045f32, 0.17404374f32, 0.07488986f32]] }

type row = {below: f32, diagonal: f32, above: f32, right: f32}

-- Thomas's algorithm.
def solve [n] (rows: [n]row) : [n]f32 =
  let (over, ys, _, _) =
    loop (over, ys, c, y) = (replicate n 0, replicate n 0, 0, 0) for i < n do
      let r = rows[i]
      let pivot = 1 / (r.diagonal - r.below * c)
      let c = r.above * pivot
      let y = (r.right - r.below * y) * pivot
      in (over with [i] = c, ys with [i] = y, c, y)
  let (xs, _) =
    loop (xs, x) = (ys, 0) for j < n do
      let i = n - 1 - j
      let x = xs[i] - over[i] * x
      in (xs with [i] = x, x)
  in xs

-- What flows from cell to cell along a line, for each unit of difference: halfway between two cells, and at
-- the rim that of the cell.
def conductance [n] (ks: [n]f32) (i: i64) : f32 =
  let k j = ks[i64.max 0 (i64.min (n - 1) j)]
  in 0.5 * (k (i - 1) + k i)

def difference [n] (ks: [n]f32) (us: [n]f32) (i: i64) : f32 =
  let u j = if j < 0 || j >= n then 0 else us[j]
  in conductance ks (i + 1) * (u (i + 1) - u i) - conductance ks i * (u i - u (i - 1))

-- The implicit half of a step along lines.
def implicit [n] [m] (h: f32) (k: [n][m]f32) (right: [n][m]f32) : [n][m]f32 =
  let line ks rs =
    let row i =
      let (a, c) = (h * conductance ks i, h * conductance ks (i + 1))
      in {below = -a, diagonal = 1 + a + c, above = -c, right = rs[i]}
    in solve (tabulate m row)
  in map2 line k right

-- The explicit half.
def explicit [n] [m] (h: f32) (k: [n][m]f32) (u: [n][m]f32) : [n][m]f32 =
  map2 (\ks us -> tabulate m (\i -> us[i] + h * difference ks us i)) k u

def step [n] [m] (h: f32) (k: [n][m]f32) (u: [n][m]f32) : [n][m]f32 =
  let kt = transpose k
  let half = transpose (implicit h k (transpose (explicit h kt (transpose u))))
  in transpose (implicit h kt (transpose (explicit h k (transpose half))))

entry main [n] [m] (steps: i32) (h: f32) (k: [n][m]f32) (u: [n][m]f32) : [n][m]f32 =
  iterate steps (step h k) u
