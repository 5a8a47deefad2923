-- The first or last of what is the same is chosen, whatever order elements are gone through in.
-- ==
-- entry: first_greatest last_greatest first_smallest last_smallest greatest_of_three first_of_most_steps none_is_greater
-- input { empty([0]i8) 3i64 } output { true }
-- input { [3i8, 1i8, 3i8] 3i64 } output { true }
-- random input { [511]i8 5i64 } output { true }
-- random input { [512]i8 5i64 } output { true }
-- random input { [3333]i8 2i64 } output { true }
-- random input { [70001]i8 7i64 } output { true }

def check [n] (xs: [n]i8) (m: i64) (op: (i8, i64, i16) -> (i8, i64, i16) -> (i8, i64, i16)) ne =
  let vs = opaque (map (% i8.i64 m) xs)
  let ps = opaque (tabulate n (\i -> i16.i64 (i * 31 % 1000)))
  let es = zip3 vs (iota n) ps
  let in_turn = loop acc = ne for e in es do op acc e
  in (es, in_turn)

def greatest_first (a, i, p) (b, j, q) : (i8, i64, i16) = if b > a then (b, j, q) else (a, i, p)
def greatest_last (a, i, p) (b, j, q) : (i8, i64, i16) = if a > b then (a, i, p) else (b, j, q)
def smallest_first (a, i, p) (b, j, q) : (i8, i64, i16) = if a <= b then (a, i, p) else (b, j, q)
def smallest_last (a, i, p) (b, j, q) : (i8, i64, i16) =
  if a < b || (a == b && i > j) then (a, i, p) else (b, j, q)

entry first_greatest [n] (xs: [n]i8) (m: i64) =
  let ne = (i8.lowest, -1, -1)
  let (es, in_turn) = check xs m greatest_first ne
  in reduce greatest_first ne es == in_turn

entry last_greatest [n] (xs: [n]i8) (m: i64) =
  let ne = (i8.lowest, 0, -1)
  let (es, in_turn) = check xs m greatest_last ne
  in reduce greatest_last ne es == in_turn

entry first_smallest [n] (xs: [n]i8) (m: i64) =
  let ne = (i8.highest, n, -1)
  let (es, in_turn) = check xs m smallest_first ne
  in reduce smallest_first ne es == in_turn

entry last_smallest [n] (xs: [n]i8) (m: i64) =
  let ne = (i8.highest, -1, -1)
  let (es, in_turn) = check xs m smallest_last ne
  in reduce_comm smallest_last ne es == in_turn

-- The greatest by three components, of which the second is the more the less it is.
def of_three (a: f32, b: u8, c: i16) (x: f32, y: u8, z: i16) =
  if a > x then (a, b, c)
  else if a < x then (x, y, z)
  else if b < y then (a, b, c)
  else if y < b then (x, y, z)
  else if c < z then (x, y, z)
  else (a, b, c)

-- What is chosen is made by loops, which go by lanes.
def steps (x: i8) : i16 =
  (loop (k, y) = (0, i32.i8 x) while y % 7 != 3 && k < 50 do (k + 1, y * 3 + 1)).0

def most_steps (a, i) (b, j) : (i16, i64) = if b > a then (b, j) else (a, i)

entry first_of_most_steps [n] (xs: [n]i8) (m: i64) =
  let vs = map (% i8.i64 m) xs
  let at i = (steps vs[i], i)
  in reduce most_steps (-1, -1) (map at (iota n)) == loop acc = (-1, -1) for i < n do most_steps acc (at i)

-- The neutral element stands for elements of its value.
entry none_is_greater [n] (xs: [n]i8) (m: i64) =
  let at i = (steps xs[i] % i16.i64 m % 2, i)
  let ne = (1, n)
  in reduce most_steps ne (map at (iota n)) == ne

entry greatest_of_three [n] (xs: [n]i8) (m: i64) =
  let vs = opaque (map (\x -> f32.i8 (x % 3)) xs)
  let us = opaque (map (\x -> u8.i64 (i64.i8 x % m)) xs)
  let ps = opaque (tabulate n (\i -> i16.i64 (i * 31 % 1000)))
  let es = zip3 vs us ps
  let ne = (-f32.inf, u8.highest, i16.lowest)
  in reduce of_three ne es == loop acc = ne for e in es do of_three acc e
