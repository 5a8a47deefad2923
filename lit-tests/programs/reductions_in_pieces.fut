-- Reductions whose indexes are clamped, go round or are compared go in pieces, which are put together in order: the operator
-- of `trail` does not commute. All is compared with loops, for short and long ranges.
-- ==
-- entry: agree
-- input { 0i64 70i64 } output { [true, true, true, true, true, true, true] }
-- input { 500i64 503i64 } output { [true, true, true, true, true, true, true] }

-- Associative, and not commutative: affine functions, composed.
def trail (a: i32, b: i32) (c: i32, d: i32) = (a * c, b * c + d)

def folded [n] (f: i64 -> i32) (_: [n]i32) =
  let g = \j -> let x = f j in (x | 1, x)
  in loop acc = (1, 0) for j < n do acc `trail` g j

def reduced [n] (f: i64 -> i32) (_: [n]i32) =
  reduce trail (1, 0) (tabulate n (\j -> let x = f j in (x | 1, x)))

entry agree (from: i64) (to: i64) : []bool =
  let same (a: (i32, i32)) (b: (i32, i32)) = a.0 == b.0 && a.1 == b.1
  in loop ok = replicate 7 true for k < to - from do
     let n = from + k
     let xs = tabulate n (\i -> i32.i64 (i * i % 11 - 3))
     let over (w: i64) =
       let m = n - 1
       let turned = rotate w xs
       let clamped j = xs[i64.max 0 (j - 1)] - 3 * xs[i64.min m (j + 1)]
       let guarded j = if j >= w && j - w < n then xs[j - w] else 7
       let chosen j = xs[if j + w < n && j + w >= 0 then j + w else j]
       let round j = xs[(j + n - 1) % n] + xs[(j + 1) % n]
       in [ same (reduced (\j -> turned[j] - xs[j]) xs) (folded (\j -> xs[(j + w) % n] - xs[j]) xs)
          , same (reduced clamped xs) (folded clamped xs)
          , same (reduced guarded xs) (folded guarded xs)
          , same (reduced chosen xs) (folded chosen xs)
          , same (reduced round xs) (folded round xs)
          , reduce i32.max i32.lowest (tabulate n clamped)
            == (loop m = i32.lowest for j < n do i32.max m (clamped j))
          , i32.sum (tabulate n guarded) == (loop s = 0 for j < n do s + guarded j)
          ]
     in map2 (&&) ok (loop all = replicate 7 true for w in [-2, 0, 1, 3, n / 2, n - 1, n, n + 2] do
                      map2 (&&) all (over w))

-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6]] } output { [11, 74] [4, 4] }
-- input { [[7], [8]] } output { [49, 64] [0, 0] }
-- input { empty([2][0]i32) } output { [0, 0] [0, 0] }

entry rows [m][n] (xss: [m][n]i32) : ([m]i32, [m]i32) =
  ( map (\xs -> i32.sum (map2 (*) xs (rotate 1 xs))) xss
  , map (\xs -> i32.sum (tabulate n (\j -> xs[i64.min (n - 1) (j + 1)] - xs[i64.max 0 (j - 1)]))) xss
  )

-- What is clamped on one side alone fails on the other, at the first such index.
-- ==
-- entry: fails
-- input { 2i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } output { 38 }
-- input { -1i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } error: Index \[10\] out of bounds
-- input { 12i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } output { 10 }

entry fails [n] (k: i64) (xs: [n]i32) : i32 = i32.sum (tabulate n (\j -> xs[i64.max 0 (j - k)]))
