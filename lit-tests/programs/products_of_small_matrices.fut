-- Many small matrices whose sizes are known when the program runs: rows shorter and longer than vectors, and products large enough for blocks.
-- ==
-- entry: agree
-- input { 3i64 2i64 2i64 2i64 } output { true }
-- input { 2i64 3i64 3i64 3i64 } output { true }
-- input { 2i64 4i64 7i64 5i64 } output { true }
-- input { 2i64 5i64 8i64 1i64 } output { true }
-- input { 2i64 1i64 12i64 6i64 } output { true }
-- input { 2i64 9i64 19i64 15i64 } output { true }
-- input { 2i64 20i64 21i64 20i64 } output { true }
-- input { 1i64 2i64 150i64 3i64 } output { true }
-- input { 1i64 9000i64 1i64 1i64 } output { true }
-- input { 1i64 1i64 9000i64 1i64 } output { true }
-- input { 1i64 1i64 100i64 90i64 } output { true }
-- input { 1i64 2i64 70i64 64i64 } output { true }
-- input { 1i64 3i64 70i64 64i64 } output { true }
-- input { 1i64 4i64 16i64 200i64 } output { true }
-- input { 1i64 40i64 16i64 40i64 } output { true }
-- input { 1i64 40i64 17i64 12i64 } output { true }
-- input { 0i64 3i64 3i64 3i64 } output { true }
-- input { 2i64 3i64 3i64 0i64 } output { true }
-- input { 2i64 3i64 0i64 3i64 } output { true }

def mul 'a [n] [p] [m] (add: a -> a -> a) (zero: a) (times: a -> a -> a) (x: [n][m]a) (y: [m][p]a) : [n][p]a =
  map (\r -> map (\c -> reduce add zero (map2 times r c)) (transpose y)) x

def elementwise 'a [n] [p] [m] (add: a -> a -> a) (zero: a) (times: a -> a -> a) (x: [n][m]a) (y: [m][p]a) : [n][p]a =
  tabulate_2d n p (\i j -> loop s = zero for k < m do s `add` (x[i, k] `times` y[k, j]))

def numbers (b: i64) (n: i64) (m: i64) (c: i64) : [b][n][m]i64 =
  tabulate_3d b n m (\a i j -> (a * 7 + i * 3 + j * c) % 11 - 5)

def same 'a [b] [n] [p] (eq: a -> a -> bool) (x: [b][n][p]a) (y: [b][n][p]a) : bool =
  and (map2 (\x y -> and (map2 (\x y -> and (map2 eq x y)) x y)) x y)

def to 'a 'b [b] [n] [m] (f: a -> b) (x: [b][n][m]a) : [b][n][m]b = map (map (map f)) x

entry agree (b: i64) (n: i64) (p: i64) (m: i64) : bool =
  let x = numbers b n m 5
  let y = numbers b m p 4
  let singles f = f (to f32.i64 x) (to f32.i64 y)
  in same (==) (map2 (mul (+) 0 (*)) x y) (map2 (elementwise (+) 0 (*)) x y)
     && same (==) (singles (map2 (mul (+) 0 (*)))) (singles (map2 (elementwise (+) 0 (*))))
     && same (==) (map2 (mul (+) 0 (*)) (to f64.i64 x) (to f64.i64 y)) (map2 (elementwise (+) 0 (*)) (to f64.i64 x) (to f64.i64 y))
     && same (==) (map2 (mul i32.min i32.highest (+)) (to i32.i64 x) (to i32.i64 y)) (map2 (elementwise i32.min i32.highest (+)) (to i32.i64 x) (to i32.i64 y))
     && same (==)
             (map (\x -> mul (+) 0 (*) (transpose x) x) (to i16.i64 x))
             (map (\x -> elementwise (+) 0 (*) (transpose x) x) (to i16.i64 x))
