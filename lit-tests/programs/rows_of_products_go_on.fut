-- Products of matrices inside of maps that go on with their rows: by functions, by reductions of the
-- row, by another product, by an update of the row; beside products that are small.
-- ==
-- entry: normed
-- input { [[1.0, 2.0], [3.0, 4.0]] [[1.0, 3.0], [1.0, 1.0]] } output { [[0.375, 0.625], [0.35, 0.65]] }
-- input { empty([0][0]f64) empty([0][0]f64) } output { empty([0][0]f64) }

-- ==
-- entry: layers
-- input { [[1.0, -2.0], [0.5, 4.0]] [[1.0, 2.0, 0.0], [1.0, 0.0, 0.25]] [[1.0], [2.0], [4.0]] }
-- output { [[4.0], [10.5]] }
-- input { empty([0][2]f64) [[1.0, 2.0, 0.0], [1.0, 0.0, 0.25]] [[1.0], [2.0], [4.0]] }
-- output { empty([0][1]f64) }
-- input { [[1.0, -2.0], [0.5, 4.0]] empty([2][0]f64) empty([0][1]f64) } output { [[0.0], [0.0]] }
-- input { empty([2][0]f64) empty([0][1]f64) [[5.0]] } output { [[0.0], [0.0]] }

-- ==
-- entry: layers_agree
-- input { 30i64 20i64 17i64 9i64 } output { true }
-- input { 1i64 1i64 1i64 1i64 } output { true }
-- input { 0i64 3i64 4i64 5i64 } output { true }
-- input { 3i64 0i64 4i64 5i64 } output { true }
-- input { 3i64 4i64 0i64 5i64 } output { true }
-- input { 3i64 4i64 5i64 0i64 } output { true }
-- input { 100i64 3i64 300i64 65i64 } output { true }

-- ==
-- entry: steps
-- input { [1.0, 0.0, 2.0] [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] 2i32 }
-- output { [2.0, 1.0, 0.0] }
-- input { empty([0]f64) empty([0][0]f64) 3i32 } output { empty([0]f64) }

-- ==
-- entry: columns
-- input { [[1.0, 2.0, 6.0], [3.0, 4.0, 8.0]] }
-- output { [[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]] [4.0, 6.0, 14.0] 14.0 }
-- input { empty([0][2]f64) } output { empty([0][2]f64) [0.0, 0.0] 0.0 }

-- ==
-- entry: changed
-- input { [[1i32, 2i32], [3i32, 4i32]] [[1i32, 1i32, 0i32], [0i32, 1i32, 2i32]] }
-- output { [[7i32, 3i32, 4i32], [7i32, 7i32, 8i32]] [[1i32, 3i32, 4i32], [3i32, 7i32, 8i32]] }
-- input { empty([0][2]i32) [[1i32, 1i32, 0i32], [0i32, 1i32, 2i32]] }
-- output { empty([0][3]i32) empty([0][3]i32) }

-- ==
-- entry: turned
-- input { [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]] } output { [[0.0, 1.0, 0.0], [-2.0, 0.0, 0.0]] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) }

-- ==
-- entry: batches
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[0i32, 1i32], [1i32, 0i32]]] [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[[14i32, 17i32], [22i32, 29i32]], [[6i32, 7i32], [4i32, 5i32]]] }
-- input { empty([0][1][2]i32) [[1i32, 2i32], [3i32, 4i32]] } output { empty([0][1][2]i32) }

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def product [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (dot r) (transpose b)) a
def product_i32 [n][m][p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a

-- The sum of a row, and the row, of the same product.
def norm [n] (r: [n]f64) : [n]f64 = let t = f64.sum r in map (/ t) r
entry normed [n] (a: [n][n]f64) (b: [n][n]f64) = map norm (product a b)

def relu (x: f64) = f64.max x 0
entry layers [n][m][k][p] (x: [n][m]f64) (w: [m][k]f64) (v: [k][p]f64) : [n][p]f64 =
  product (map (map relu) (product x w)) v

def function [n][m] (x: [n][m]f64) : [n][m]f64 = map (map (\y -> f64.exp (-y * y))) x

-- Three layers, with functions between them, and each by itself.
entry layers_agree (n: i64) (m: i64) (k: i64) (p: i64) : bool =
  let matrix a b s = tabulate_2d a b (\i j -> f64.i64 ((i * 7 + j * 3 + s) % 11) / 16 - 0.25)
  let (x, w, v, u) = (matrix n m 0, matrix m k 1, matrix k p 2, matrix p k 3)
  let together = function (product (function (product (function (product x w)) v)) u)
  let first = opaque (function (opaque (product x w)))
  let second = opaque (function (opaque (product first v)))
  let third = function (opaque (product second u))
  let near a b = f64.abs (a - b) < 1e-9
  in and (map2 (\a b -> and (map2 near a b)) together third)

-- In a loop, what follows is a function.
entry steps [n] (x: [n]f64) (w: [n][n]f64) (steps: i32) : [n]f64 =
  loop x for _i < steps do
    map (\y -> f64.floor (0.5 + f64.log (f64.exp y)))
        (map (\c -> f64.sum (map2 (*) x c)) (transpose w))

-- Columns from which something is subtracted, their sums, and the largest of these.
entry columns [n][m] (a: [n][m]f64) : ([n][m]f64, [m]f64, f64) =
  let centred =
    map (\c -> let mu = f64.sum c / f64.i64 n in map (\x -> x - mu) c) (transpose a)
  let sums = map (\c -> f64.sum c) (transpose a)
  in (transpose centred, sums, reduce f64.max 0 (map (\c -> f64.sum c) (transpose a)))

-- A row that is updated, and one that is not.
entry changed [n][m][p] (a: [n][m]i32) (b: [m][p]i32) : ([n][p]i32, [n][p]i32) =
  let rows = product_i32 a b
  let update (r: [p]i32) =
    let s = copy r
    in if p > 0 then s with [0] = 7 else s
  in (map update rows, rows)

-- Small products of each point.
entry turned [n] (points: [n][3]f64) : [n][3]f64 =
  let turn : [3][3]f64 = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
  in map (\p -> map (\r -> 1 * dot r p) turn) points

-- Many products, of each of which an element goes to all others.
entry batches [l][n][m] (as: [l][n][m]i32) (b: [m][m]i32) : [l][n][m]i32 =
  map (\a -> let c = product_i32 a b in map (\r -> map (+ c[0, 0]) r) c) as
