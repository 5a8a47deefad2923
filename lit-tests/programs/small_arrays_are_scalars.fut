-- Small arrays in the bodies of maps, loops and reductions: their elements are scalars, their combinators
-- straight code, with every check as before.

def weights : [3][3]f64 = [[1, 2, 1], [2, -12, 2], [1, 2, 1]]

-- A sum over a window with constant weights.
-- ==
-- entry: window
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64], [7f64, 8f64, 10f64]] }
-- output { [[16f64, 12f64, 8f64], [4f64, 1f64, -1f64], [-8f64, -9f64, -23f64]] }
entry window [n] [m] (xs: [n][m]f64) : [n][m]f64 =
  let at i j = xs[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
  in tabulate_2d n m (\i j ->
       f64.sum (map f64.sum (tabulate_2d 3 3 (\a b -> weights[a, b] * at (i + a - 1) (j + b - 1)))))

-- Products of matrices in a loop, whose last value is a row of the result.
-- ==
-- entry: powers
-- input { [1i64, 2i64, 3i64] 3i32 }
-- output { [[3i64, 2i64, 2i64, 1i64], [16i64, 6i64, 12i64, 4i64], [45i64, 12i64, 36i64, 9i64]] }
-- input { [1i64] 0i32 }
-- output { [[1i64, 0i64, 0i64, 1i64]] }
entry powers (xs: []i64) (k: i32) =
  let matmul a b = map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose b)) a
  in map (\x -> flatten (loop a : [2][2]i64 = [[1, 0], [0, 1]] for _i < k do matmul a [[x, 1], [x, 0]])) xs

-- Registers that change places.
-- ==
-- entry: rotated
-- input { [1u32, 2u32, 3u32] }
-- output { [211841u32, 295788u32, 381007u32] }
entry rotated (xs: []u32) : []u32 =
  map (\x ->
    let s = loop s = [x, x + 1, x * 2, 7] for i < 13 do
              let t = s[0] * 3 + (s[1] ^ u32.i64 i)
              in rotate 1 (copy s with [0] = t)
    in reduce (+) 0 (map2 (*) s [1000, 100, 10, 1]) % 5000000) xs

-- Loops that index by their counter, updates of places that are known and that are not.
-- ==
-- entry: updates
-- input { [0i64, 1i64, 2i64] }
-- output { [[0i64, 10i64, 1i64, 3i64], [1i64, 10i64, 3i64, 3i64], [2i64, 10i64, 12i64, 3i64]] }
entry updates (xs: []i64) : [][4]i64 =
  map (\x ->
    let a = [x, x, x, x]
    let a = loop a = copy a for i < 3 do a with [i + 1] = a[i] + i64.bool (i < 1)
    let a = a with [1] = 10
    let a = if x == 0 then a with [3] = 3 else a with [x] = a[x] + 9
    let a = a with [2] = a[2] + i64.bool (x == 1)
    in [a[0], if x == 1 then 10 else a[1], if x == 2 then 12 else a[2], i64.max 3 a[3]]) xs

-- An index that is out of bounds is an error, constant or not, read or written.
-- ==
-- entry: outside
-- input { [0i64, 1i64] 1i64 }
-- output { [4i64, 5i64] }
-- input { [0i64, 1i64] 2i64 }
-- error: Index \[2\] out of bounds for array of shape \[2\]
-- input { [0i64, 1i64] -1i64 }
-- error: Index \[-1\] out of bounds for array of shape \[2\]
entry outside (xs: []i64) (i: i64) : []i64 =
  map (\x -> let v = map (+ 1) [x + 1, x + 3] in v[i]) xs

-- ==
-- entry: outside_always
-- input { [0i64] false }
-- output { [0i64] }
-- input { [0i64] true }
-- error: Index \[3\] out of bounds for array of shape \[3\]
entry outside_always (xs: []i64) (p: bool) : []i64 =
  map (\x -> let v = [x, x, x]
             in if p then (loop s = 0 for k < 4 do s + v[k]) else v[2]) xs

-- ==
-- entry: outside_written
-- input { [0i64] 1i64 }
-- output { [[0i64, 5i64]] }
-- input { [0i64] 2i64 }
-- error: Index \[2\] out of bounds for array of shape \[2\]
entry outside_written (xs: []i64) (i: i64) : [][2]i64 =
  map (\x -> let v = map (* 2) [x, x] in v with [i] = 5) xs

-- No elements, and sizes that are none.
-- ==
-- entry: sized
-- input { [1i64, 2i64] 0i64 }
-- output { [7i64, 7i64] }
-- input { [1i64, 2i64] 2i64 }
-- output { [9i64, 11i64] }
-- input { [1i64, 2i64] -1i64 }
-- error: Number of elements to replicate is negative: -1
entry sized (xs: []i64) (n: i64) : []i64 =
  map (\x -> let none : [0]i64 = []
             in 3 + reduce (+) 0 none + 4 + reduce (+) 0 (replicate n x)) xs

-- What is not a number, and zeros with signs, in the order of the elements.
-- ==
-- entry: ordered
-- input { [1f32, f32.nan, -0f32] }
-- output { [2f32, f32.nan, 0f32] [true, false, true] [1f32, f32.nan, f32.inf] }
entry ordered (xs: []f32) =
  unzip3 (map (\x -> let v = [x, x]
                     in (reduce (+) 0 v, reduce (&&) true (map (\y -> y == y) v)
                        , let s = scan (+) 0 v in if s[1] == 0 then 1 / s[0] else s[0])) xs)

-- Scans and reductions beside one another; concatenations, slices, transpositions.
-- ==
-- entry: views
-- input { [1i32, 2i32] }
-- output { [[1i32, 3i32, 6i32, 12i32], [2i32, 5i32, 9i32, 18i32]] [[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]],
--          [[2i32, 5i32], [3i32, 6i32], [4i32, 7i32]]] }
entry views (xs: []i32) =
  unzip (map (\x ->
    let a = [x, x + 1, x + 2]
    let m = transpose [a, map (+ 3) a]
    let s = scan (+) 0 (take 3 (a ++ [100]))
    in (s ++ [2 * last s], m)) xs)

-- Rows of a matrix as operands of a reduction; the matrix itself is wanted too.
-- ==
-- entry: shared
-- input { [[1f64, 2f64], [3f64, 4f64]] 1i64 }
-- output { [6f64, 24f64] [[2f64, 4f64], [6f64, 8f64]] }
entry shared (xs: [][2]f64) (i: i64) =
  let both = map (\v -> let w = map (* 2) v in (f64.sum w + w[i % 2] - w[i], w)) xs
  in (map (\(s, w) -> s + w[1] - w[1] + (if w[0] > 4 then 10 else 0)) both, map (.1) both)

-- Branches of which some make arrays and some take them.
-- ==
-- entry: branches
-- input { [0i64, 1i64, 2i64, 3i64] [5i64, 6i64] }
-- output { [11i64, 3i64, 8i64, 12i64] }
entry branches (xs: []i64) (row: [2]i64) : []i64 =
  map (\x ->
    let v = match x case 0 -> row case 1 -> [x, x + 1] case 2 -> map (+ x) (replicate 2 2) case _ -> scan (+) 3 [x - 3, 2]
    in i64.sum v + (if x == 3 then v[1] - v[0] else 0) + i64.bool (x == 3) * 2) xs
