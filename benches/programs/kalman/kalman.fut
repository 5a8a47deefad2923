-- Kalman filters: many things move in the plane with nearly constant speed, and their places are
-- measured with errors. The results are the state of each after the last measurement and the trace of its
-- covariance.
-- ==
-- random input { [10000][50][2]f32 }
-- input { [[[0.5f32, 0.25f32], [0.75f32, 0.5f32], [1f32, 0.625f32]]] }
-- output { [[0.7387892f32, 0.45530507f32, 0.29492763f32, 0.2042568f32]] [2.0419464f32] }

module linear_algebra (R: real) = {
  def dot [n] (a: [n]R.t) (b: [n]R.t) : R.t = reduce (R.+) (R.i32 0) (map2 (R.*) a b)
  def matvec [n] [m] (a: [n][m]R.t) (x: [m]R.t) : *[n]R.t = map (dot x) a
  def matmul [n] [m] [p] (a: [n][m]R.t) (b: [m][p]R.t) : *[n][p]R.t =
    map (\row -> map (dot row) (transpose b)) a
  def add [n] [m] (a: [n][m]R.t) (b: [n][m]R.t) : *[n][m]R.t = map2 (map2 (R.+)) a b
  def sub [n] [m] (a: [n][m]R.t) (b: [n][m]R.t) : *[n][m]R.t = map2 (map2 (R.-)) a b
  def scale [n] [m] (k: R.t) (a: [n][m]R.t) : *[n][m]R.t = map (map (k R.*)) a
  def eye (n: i64) : *[n][n]R.t = tabulate_2d n n (\i j -> R.bool (i == j))
  def trace [n] (a: [n][n]R.t) : R.t = reduce (R.+) (R.i32 0) (tabulate n (\i -> a[i, i]))
  def invert_2x2 (a: [2][2]R.t) : *[2][2]R.t =
    let d = a[0, 0] R.* a[1, 1] R.- a[0, 1] R.* a[1, 0]
    in scale (R.i32 1 R./ d) [[a[1, 1], R.neg a[0, 1]], [R.neg a[1, 0], a[0, 0]]]
}

module la = linear_algebra f32

type estimate = {state: [4]f32, covariance: [4][4]f32}

-- How a thing moves in one step: place and speed.
def motion : [4][4]f32 = [[1, 0, 0.1, 0], [0, 1, 0, 0.1], [0, 0, 1, 0], [0, 0, 0, 1]]
-- What of it is measured.
def sight : [2][4]f32 = [[1, 0, 0, 0], [0, 1, 0, 0]]
def disturbance : [4][4]f32 = la.scale 0.01 (la.eye 4)
def noise : [2][2]f32 = la.scale 0.25 (la.eye 2)

def predict (e: estimate) : estimate =
  { state = la.matvec motion e.state
  , covariance = la.add (la.matmul (la.matmul motion e.covariance) (transpose motion)) disturbance }

def correct (e: estimate) (measured: [2]f32) : estimate =
  let across = la.matmul e.covariance (transpose sight)
  let gain = la.matmul across (la.invert_2x2 (la.add (la.matmul sight across) noise))
  let error = map2 (-) measured (la.matvec sight e.state)
  in { state = map2 (+) e.state (la.matvec gain error)
     , covariance = la.matmul (la.sub (la.eye 4) (la.matmul gain sight)) e.covariance }

def track [t] (measured: [t][2]f32) : estimate =
  let start = {state = replicate 4 0, covariance = la.eye 4}
  in loop e = start for z in measured do correct (predict e) z

entry main [n] [t] (measured: [n][t][2]f32) : ([n][4]f32, [n]f32) =
  let one ms =
    let {state, covariance} = track ms
    in (state, la.trace covariance)
  in unzip (map one measured)
