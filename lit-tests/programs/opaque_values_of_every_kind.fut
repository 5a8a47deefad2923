-- Entry points with records, sums, abstract types and arrays of records, through the server.
-- ==
-- entry: total
-- script input { mk_account 3i32 5f64 } output { 8f64 }
-- script input { deposit (mk_account 3i32 5f64) 2f64 } output { 10f64 }

-- ==
-- entry: census
-- script input { population 4i64 } output { 4i64 [0, 1, 2, 3] }
-- script input { birthday (population 2i64) } output { 2i64 [1, 2] }

-- ==
-- entry: describe
-- script input { mk_shape 0 } output { 0f32 }
-- script input { mk_shape 1 } output { 12.566371f32 }
-- script input { scale 2f32 (mk_shape 2) } output { 24f32 }

-- ==
-- entry: count_down
-- script input { (start 3i32) } output { 3i32 }

-- ==
-- entry: two
-- script input { (mk_account 1i32 1f64, population 3i64) } output { 5f64 }

-- ==
-- entry: unpacked
-- script input { let (a, b) = pair 7i32 in (b, a) } output { 8f32 7i32 }

-- ==
-- entry: matrix_sum
-- script input { mk_matrix 3i64 } output { 9i32 }

type account = {id: i32, balance: f64, history: [2]f64}
type person = {age: i32, name: [4]u8}
type shape = #point | #circle f32 | #rect {w: f32, h: f32}

module counter : { type t val start : i32 -> t val steps : t -> i32 } = {
  type t = {n: i32, log: [3]i32}
  def start n = {n, log = [n, n, n]}
  def steps (c: t) = i32.sum c.log / 3
}

entry mk_account (id: i32) (balance: f64): account = {id, balance, history = [balance, 0]}
entry deposit (a: account) (x: f64): account = a with balance = a.balance + x with history = [a.history[0], x]
entry total (a: account): f64 = f64.i32 a.id + a.balance

entry population (n: i64): [n]person = tabulate n (\i -> {age = i32.i64 i, name = "abcd"})
entry birthday [n] (ps: [n]person): [n]person = map (\p -> p with age = p.age + 1) ps
entry census [n] (ps: [n]person) = (n, map (.age) ps)

entry mk_shape (i: i32): shape =
  match i case 0 -> #point case 1 -> #circle 2 case _ -> #rect {w = 2, h = 3}
entry scale (k: f32) (s: shape): shape =
  match s case #point -> #point case #circle r -> #circle (k * r) case #rect {w, h} -> #rect {w = k * w, h = k * h}
entry describe (s: shape): f32 =
  match s case #point -> 0 case #circle r -> f32.pi * r * r case #rect {w, h} -> w * h

entry start (n: i32): counter.t = counter.start n
entry count_down (c: counter.t): i32 = counter.steps c

entry two (a: account) (ps: []person) = total a + f64.i64 (length ps)

entry pair (x: i32): (i32, f32) = (x, f32.i32 x + 1)
entry unpacked (y: f32) (x: i32) = (y, x)

type matrix [n] [m] = {rows: [n][m]i32, label: [n]u8}
entry mk_matrix (n: i64): matrix [n] [n] = {rows = replicate n (replicate n 1), label = replicate n 'x'}
entry matrix_sum [n] [m] (x: matrix [n] [m]): i32 = i32.sum (flatten x.rows)
