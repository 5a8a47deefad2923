-- Options on bonds by a tree of short rates after Hull and White: for each of many contracts a trinomial tree
-- whose width is bounded is rolled back, with the early exercise of the option at every step. The tree is
-- shifted so that it starts at a flat curve.
-- ==
-- random input { 200i64 [2000]f64 [2000]f64 [2000]f64 }
-- input { 20i64 [0.5f64, 0.25f64] [0.5f64, 0.75f64] [0.5f64, 0.125f64] }
-- output { [0.03690442810241205f64, 0.02654906853525146f64] }

type contract = {reversion: f64, volatility: f64, rate: f64, years: f64, strike: f64}

-- The half width of the tree, and what a step up of it adds to the rate.
type tree = {half: i64, dt: f64, dr: f64}

def make_tree (steps: i64) (c: contract) : tree =
  let dt = c.years / f64.i64 steps
  let half = i64.f64 (f64.ceil (0.184 / (c.reversion * dt)))
  in {half = i64.min 24 half, dt, dr = c.volatility * f64.sqrt (3 * dt)}

type branches = {to: i64, up: f64, middle: f64, down: f64}
type node = {branches: branches, discount: f64}

-- From node j to the three nodes around `to`: at the rims the tree turns inwards.
def branch (c: contract) (t: tree) (j: i64) : branches =
  let m = f64.i64 j * c.reversion * t.dt
  let (a, b) = (m * m, m)
  in if j == t.half
     then {to = j - 1, up = 7 / 6 + (a - 3 * b) / 2, middle = -1 / 3 - a + 2 * b, down = 1 / 6 + (a - b) / 2}
     else if j == -t.half
     then {to = j + 1, up = 1 / 6 + (a + b) / 2, middle = -1 / 3 - a - 2 * b, down = 7 / 6 + (a + 3 * b) / 2}
     else {to = j, up = 1 / 6 + (a - b) / 2, middle = 2 / 3 - a, down = 1 / 6 + (a + b) / 2}

-- The value of a bond and that of a put on it, at a node.
type values = {bond: f64, put: f64}

def combine (b: branches) (at: i64 -> values) : values =
  let mean (part: values -> f64) =
    b.up * part (at (b.to + 1)) + b.middle * part (at b.to) + b.down * part (at (b.to - 1))
  in {bond = mean (.bond), put = mean (.put)}

def exercise (strike: f64) ({bond, put}: values) : values = {bond, put = f64.max put (strike - bond)}

def price (steps: i64) (c: contract) : f64 =
  let t = make_tree steps c
  let size = 2 * t.half + 1
  let coupon = 0.03 * t.dt
  let node j : node =
    {branches = branch c t j, discount = f64.exp (-(c.rate + f64.i64 j * t.dr) * t.dt)}
  let nodes = tabulate size (\k -> node (k - t.half))
  let back values =
    let value ({branches, discount}: node) =
      let {bond, put} = combine branches (\j -> values[j + t.half])
      in exercise c.strike {bond = discount * (bond + coupon), put = discount * put}
    in map value nodes
  let start = replicate size {bond = 1, put = 0}
  let end: [size]values = loop values = start for _i < steps do back values
  in end[t.half].put

entry main [n] (steps: i64) (a: [n]f64) (b: [n]f64) (c: [n]f64) : [n]f64 =
  let contract x y z =
    { reversion = 0.1 + 0.4 * x
    , volatility = 0.01 + 0.02 * y
    , rate = 0.02 + 0.03 * z
    , years = 5
    , strike = 1 }
  in map (price steps) (map3 contract a b c)
