-- Attention by blocks of keys, with a softmax that goes along: the largest score so far, the sum of the exponentials and
-- the weighted sum of the values are corrected for each block, so that no row of scores is ever whole.
-- ==
-- random input { [512][64]f32 [512][64]f32 [512][64]f32 }
-- input { [[1f32, 0f32], [0f32, 0f32]] [[0f32, 1f32], [0f32, 2f32]] [[1f32, 3f32], [5f32, 7f32]] }
-- output { [[3f32, 5f32], [3f32, 5f32]] }

def block: i64 = 32

def dot [d] (a: [d]f32) (b: [d]f32) : f32 = f32.sum (map2 (*) a b)

entry main [n] [m] [d] [v] (queries: [n][d]f32) (keys: [m][d]f32) (values: [m][v]f32) : [n][v]f32 =
  let scale = 1 / f32.sqrt (f32.i64 d)
  let attend (query: [d]f32) : [v]f32 =
    let (_, total, sums) =
      loop (top, total, sums) = (-f32.inf, 0, replicate v 0) for b < (m + block - 1) / block do
        let size = i64.min block (m - b * block)
        let score k = if k < size then scale * dot query keys[b * block + k] else -f32.inf
        let scores = tabulate block score
        let top' = f32.max top (f32.maximum scores)
        let weights = map (\s -> f32.exp (s - top')) scores
        let correction = f32.exp (top - top')
        let sums =
          loop sums = map (* correction) sums for k < size do
            map2 (\sum x -> sum + weights[k] * x) sums values[b * block + k]
        in (top', total * correction + f32.sum weights, sums)
    in map (/ total) sums
  in map attend queries
