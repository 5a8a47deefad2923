-- Algorithms of a few lines each, on small inputs.
-- ==
-- entry: transposed_and_summed
-- input { [[1,2,3],[4,5,6]] } output { [[1,4],[2,5],[3,6]] [6,15] [5,7,9] 21 }

-- ==
-- entry: singleton_of_table
-- input { 3i64 2i64 } output { [[[0i64,1i64],[10i64,11i64],[20i64,21i64]]] }

-- ==
-- entry: matrix_times_vector
-- input { [1.0f64, 2.0f64] [[1.0f64, 0.0f64],[0.0f64,2.0f64]] } output { [1.0f64, 4.0f64] }

-- ==
-- entry: convolution
-- input { [1.0f32,2.0f32,3.0f32,4.0f32] [1.0f32,-1.0f32] } output { [-1.0f32,-1.0f32,-1.0f32] }

-- ==
-- entry: binary_search
-- input { [1,3,5,7] [0,1,4,7,9] } output { [0i64,0i64,2i64,3i64,4i64] }

-- ==
-- entry: radix_sort
-- input { [3u32,1u32,2u32] } output { [1u32,2u32,3u32] [1i64,2i64,0i64] }

-- ==
-- entry: segmented_sums
-- input { [1,2,3,4,5,6] [true,false,false,true,false,true] } output { [6,9,6] }

-- ==
-- entry: jacobi
-- input { 50i32 } output { [0.0f64, 1.0f64, 2.0f64, 3.0f64] }

entry transposed_and_summed [n] [m] (x: [n][m]i32) = (transpose x, map i32.sum x, map i32.sum (transpose x), i32.sum (flatten x))

entry singleton_of_table (n: i64) (m: i64) = [tabulate_2d n m (\i j -> 10 * i + j)]

entry matrix_times_vector [n] (v: [n]f64) (m: [n][n]f64) = map (\r -> f64.sum (map2 (*) r v)) m

entry convolution [n] [m] (xs: [n]f32) (ks: [m]f32) = map (\i -> f32.sum (map2 (*) ks xs[i:i+m])) (iota (n - m + 1))

entry binary_search [n] [m] (xs: [n]i32) (qs: [m]i32) =
  let search q =
    loop (low, high) = (0, n) while low < high do
      let middle = (low + high) / 2
      in if xs[middle] < q then (middle + 1, high) else (low, middle)
  in map (\q -> (search q).0) qs

def rsort [n] 'a (get: i32 -> a -> i32) (bits: i32) (xs: [n]a) : [n]a =
  loop xs for b < bits do
    let fs = map (\x -> i64.i32 (get b x)) xs
    let zs = map (1 -) fs
    let iz = scan (+) 0 zs
    let io = scan (+) 0 fs
    let nz = if n > 0 then iz[n-1] else 0
    let is = map3 (\f a b -> if f == 1 then nz + b - 1 else a - 1) fs iz io
    in scatter (copy xs) is xs

entry radix_sort [n] (xs: [n]u32) = unzip (rsort (\b (x, _) -> u32.get_bit b x) 32 (zip xs (iota n)))

entry segmented_sums [n] (xs: [n]i32) (fs: [n]bool) =
  let ss = scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0) (zip fs xs)
  let ends = map (\i -> i == n - 1 || fs[i + 1]) (iota n)
  in map (.0.1) (filter (.1) (zip ss ends))

entry jacobi (k: i32) =
  let start = [0.0, 0.5, 0.5, 3.0]
  let step [n] (xs: [n]f64) = map (\i -> if i == 0 || i == n - 1 then xs[i] else (xs[i-1] + xs[i+1]) / 2) (iota n)
  in iterate k step start
