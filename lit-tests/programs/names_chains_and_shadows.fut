-- Names, chains, projections, shadowing, local polymorphism: what stands in everyday code.
-- ==
-- entry: chains
-- input { 3 } output { 3 7 8 -5 true 6 1 [[0, 1], [2, 3]] }

-- ==
-- entry: shadows
-- input { [3, 1, 2] } output { 6 3i64 6 4 [3, 1, 2] 10 }

-- ==
-- entry: locals
-- input { 5 2.5f32 } output { 5 2.5f32 [5, 5] [2.5f32, 2.5f32] 5 2.5f32 }

-- ==
-- entry: equalities
-- input { } output { true false true true false true }

-- ==
-- entry: asserting
-- input { 3i64 } output { [0, 0, 0] 3i64 }
-- input { 0i64 } error: Assertion|assert

-- ==
-- entry: ints
-- input { -7 2 } output { -4 1 -3 -1 49 -28 1 6 }

-- ==
-- entry: units
-- input { 4i64 } output { 4i64 7 }

-- ==
-- entry: loop_forms
-- input { 3u8 [5, 6] } output { 3 [0, 1, 2, 3] 11 6 [2i64, 1, 0] }

-- ==
-- entry: halves
-- input { 1.5f16 [1f16, 2f16] } output { 3f16 3f16 2.25f16 true }

type vec = {x: i32, y: i32}
type nested = {v: vec, t: (i32, (i32, vec)), m: [2][2]i32}

module tables = {
  def squares = map (\i -> i * i) (0i32..<10)
  module inner = { def grid = [[1, 2], [3, 4 : i32]] def f (x: i32) = x + 1 }
}

def mk (n: i32) : nested =
  {v = {x = n, y = n + 1}, t = (n, (n + 2, {x = -n, y = 8})), m = [[0, 1], [2, 3]]}

entry chains (n: i32) =
  let r = mk n
  let r' = r with v.x = 7 with t = (1, (2, {x = 3, y = 8}))
  let r'' = [r, r']
  in ( r.t.0, r''[1].v.x, (mk n).t.1.1.y, -r.t.1.0, !(r.v.x == r.v.y) && !false
     , tables.inner.f(r.t.1.0), tables.squares[r.m[0][1]], r''[0].m )

entry shadows (xs: []i32) =
  let length = \ys -> i32.sum ys
  let a = length xs
  let map = 3i64
  let b = map
  let reduce op ne (ys: []i32) = loop acc = ne for y in ys do op acc y
  let c = reduce (+) 0 xs
  let i32 = 4i32
  let id x = x + 0i32
  in (a, b, c, i32, xs, id 10)

entry locals (a: i32) (b: f32) =
  let twice 'a (x: a) = [x, x]
  let pair 'a 'b (x: a) (y: b) = (x, y)
  let first [n] 't (xs: [n]t) = xs[0]
  let (p, q) : (i32, f32) = pair a b
  in (first (twice a), first (twice b), twice a, twice b, p, q)

type color = #red | #green | #rgb {r: u8, g: u8, b: u8}

entry equalities =
  let c : color = #rgb {r = 1, g = 2, b = 3}
  let d = #rgb {b = 3, g = 2, r = 1} : color
  in ( c == d, c == #red, [1, 2] == [1, 2i32], {x = 1, y = (2, "ab")} == {x = 1, y = (2i32, "ab")}
     , "abc" == "abd", (1, [true]) != (1i32, [false]) )

entry asserting (n: i64) =
  let m = assert (n > 0) n
  let xs : [m]i32 = replicate m 0
  in (xs, length xs)

entry ints (a: i32) (b: i32) =
  (a / b, a % b, a // b, a %% b, a ** b, a << b, (a >> 1) & 3 ^ 1 | 0, -(-a - 1) * -1)

entry units (n: i64) =
  let us = replicate n ()
  let f () = 7i32
  in (length us, f ())

entry loop_forms (k: u8) (xs: []i32) =
  ( loop acc = 0i32 for _i < k do acc + 1
  , loop acc = [] for i < 4i32 do acc ++ [i]
  , (loop s = 0 for {a, b} in map (\x -> {a = x, b = 0}) xs do s + a + b)
  , let (_, r) = (loop (i, r) = (0u16, 0) while i < 3 do (i + 1, r + i32.u16 i * 2)) in r
  , loop out = [] for i in reverse (iota 3) do out ++ [i] )

entry halves (x: f16) (xs: []f16) = (f16.sum xs, x * 2, x ** 2, f16.isnan f16.nan)
