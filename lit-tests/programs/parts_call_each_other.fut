-- Functions that stay apart: over scalars, arrays, records, tuples and what is consumed, with checks, constants
-- and loops around the calls.
-- ==
-- entry: main
-- input { [1, 2, 3, 4] } output { [8, 29, 30, 63] 38i64 [2i64, 4i64, 6i64, 8i64] }
-- input { [0, 0] } output { [3, 3] 0i64 [0i64, 0i64] }
-- input { empty([0]i32) } error: Assertion is false

def digits : [4]i32 = [3, 1, 4, 1]
def weights : [100]i32 = map (\i -> i32.i64 (i % 7)) (iota 100)

#[noinline]
def scale (x: i32) : i32 = x * digits[i64.i32 x % 4] + weights[8]

#[noinline]
def both (p: {x: i32, y: (i32, bool)}) : (i32, bool) =
  (scale p.x + p.y.0, !p.y.1)

#[noinline]
def doubled [n] (xs: [n]i32) : *[n]i64 = map (\x -> 2 * i64.i32 x) xs

#[noinline]
def written [n] (xs: *[n]i64) (i: i64) : *[n]i64 = xs with [i] = xs[i] + 0

#[noinline]
def positive [n] (xs: [n]i32) : ?[m].[m]i32 = filter (> 0) xs

#[noinline]
def total [n] (xs: [n]i32) : i64 =
  loop s = 0 for x in xs do s + i64.i32 (both {x, y = (x, x > 1)}).0

#[noinline]
def squares [n] (xs: [n]i32) : [n]i32 =
  map (\x -> (both {x, y = (x * x, true)}).0 * 2 + weights[i64.i32 x]) xs

#[noinline]
def is_there [n] (_: [n]i32) : bool = assert (n > 0) true

entry main [n] (xs: [n]i32) : ([n]i32, i64, [n]i64) =
  let ok = assert (length xs > 0) (is_there xs)
  let twice = loop ys = doubled xs for i < n do written ys i
  in (map (\x -> if ok then x + 1 else x) (squares xs), total (positive xs), twice)
