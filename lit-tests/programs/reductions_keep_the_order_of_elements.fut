-- Operators that are associative but not commutative, over scalars, tuples, arrays and sums; long
-- enough that any split of the work shows.
-- ==
-- entry: last_and_first
-- input { 10000i64 } output { 9999i64 0i64 }
-- input { 1i64 } output { 0i64 0i64 }

-- ==
-- entry: affine
-- input { 1000i64 } output { true }
-- input { 0i64 } output { true }
-- input { 100001i64 } output { true }

-- ==
-- entry: matrices
-- input { 30i64 } output { [[1346269i64, 832040i64], [832040i64, 514229i64]] }

-- ==
-- entry: longest_run
-- input { [1, 1, 2, 2, 2, 1, 3, 3, 3, 3] } output { 4i64 }
-- input { [5] } output { 1i64 }
-- input { empty([0]i32) } output { 0i64 }

-- ==
-- entry: prefixes
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] [0i64, 0i64, 0i64, 0i64, 0i64] [0i64, 1i64, 2i64, 3i64, 4i64] }

-- ==
-- entry: several_at_once
-- input { [3.0f32, -1.0f32, 2.0f32] } output { 4.0f32 -6.0f32 -1.0f32 3.0f32 1i64 }

entry last_and_first (n: i64) : (i64, i64) =
  ( reduce (\a b -> if b == -1 then a else b) (-1) (iota n)
  , reduce (\a b -> if a == -1 then b else a) (-1) (iota n))

-- x -> a * x + b, composed; compared with doing it one after the other.
def compose (a1: i32, b1: i32) (a2: i32, b2: i32) = (a1 * a2, b1 * a2 + b2)

entry affine (n: i64) : bool =
  let fs = tabulate n (\i -> (2 * i32.i64 (i % 5) + 1, i32.i64 i))
  let (a, b) = reduce compose (1, 0) fs
  let x = loop x = 7 for (a, b) in fs do a * x + b
  let ys = scan compose (1, 0) fs
  in a * 7 + b == x && (n == 0 || (let (c, d) = last ys in c * 7 + d == x))

def times (a: [2][2]i64) (b: [2][2]i64) : [2][2]i64 =
  map (\row -> map (\column -> i64.sum (map2 (*) row column)) (transpose b)) a

entry matrices (n: i64) : [2][2]i64 =
  reduce times [[1, 0], [0, 1]] (replicate n [[1, 1], [1, 0]])

type run = #none | #run {first: i32, last: i32, left: i64, best: i64, right: i64, size: i64}

def join (a: run) (b: run) : run =
  match (a, b)
  case (#none, y) -> y
  case (x, #none) -> x
  case (#run x, #run y) ->
    let meets = x.last == y.first
    let middle = if meets then x.right + y.left else 0
    in #run { first = x.first
            , last = y.last
            , left = if meets && x.left == x.size then x.size + y.left else x.left
            , best = i64.max middle (i64.max x.best y.best)
            , right = if meets && y.right == y.size then y.size + x.right else y.right
            , size = x.size + y.size
            }

entry longest_run [n] (xs: [n]i32) : i64 =
  let one x : run = #run {first = x, last = x, left = 1, best = 1, right = 1, size = 1}
  in match reduce join #none (map one xs)
     case #none -> 0
     case #run r -> r.best

entry prefixes (n: i64) =
  let rightmost a b = if b == -1 then a else b
  let leftmost a b = if a == -1 then b else a
  in ( scan rightmost (-1) (iota n), scan leftmost (-1) (iota n)
     , map (.1) (scan (\(a, b) (c, d) -> (leftmost a c, rightmost b d)) (-1, -1)
                      (zip (iota n) (iota n))))

entry several_at_once [n] (xs: [n]f32) =
  let (s, p, lo, hi) =
    reduce (\(a, b, c, d) (e, f, g, h) -> (a + e, b * f, f32.min c g, f32.max d h))
           (0, 1, f32.inf, -f32.inf)
           (map (\x -> (x, x, x, x)) xs)
  let at = reduce (\i j -> if i == -1 then j else if j == -1 then i else
                           if xs[j] < xs[i] then j else i)
                  (-1) (iota n)
  in (s, p, lo, hi, at)
