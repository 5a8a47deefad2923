-- The likeliest states of a hidden Markov model that explain what was seen, by Viterbi's algorithm,
-- in logarithms.
-- ==
-- random input { [64]f32 [64][64]f32 [64][32]f32 [4000]u8 }
-- input { [0.5f32, 0.25f32] [[0.5f32, 0.25f32], [0.125f32, 0.5f32]]
--         [[0.5f32, 0.25f32, 1f32], [0.125f32, 0.5f32, 0.25f32]] [0u8, 1u8, 2u8, 1u8] }
-- output { -6.2383246f32 [0, 0, 0, 0] }
-- input { [1f32, 1f32] [[0.5f32, 0.25f32], [0.125f32, 0.5f32]]
--         [[0.5f32, 0.25f32], [0.125f32, 0.75f32]] [1u8, 1u8, 0u8, 0u8, 0u8] }
-- output { -6.8136888f32 [1, 1, 0, 0, 0] }

-- The larger, with its index: the first of equals.
def best (a: f32, i: i32) (b: f32, j: i32) : (f32, i32) =
  if a > b || (a == b && i < j) then (a, i) else (b, j)

entry main [s] [o] [t] (start: [s]f32) (moves: [s][s]f32) (emits: [s][o]f32) (seen: [t]u8)
         : (f32, [t]i32) =
  let symbol k = i64.u8 seen[k] % o
  let first = map2 (\p e -> f32.log p + f32.log e[symbol 0]) start emits
  let moves = map (map f32.log) (transpose moves)
  let emits = map (map f32.log) emits
  let (scores, back) =
    loop (scores, back) = (first, replicate t (replicate s 0i32)) for k in 1..<t do
      let arrive (into: [s]f32) (e: [o]f32) =
        let ways = map3 (\score move i -> (score + move, i32.i64 i)) scores into (iota s)
        let (score, from) = reduce best (-f32.inf, i32.highest) ways
        in (score + e[symbol k], from)
      let (scores', from) = unzip (map2 arrive moves emits)
      in (scores', back with [k] = from)
  let (score, last) = reduce best (-f32.inf, i32.highest) (zip scores (map i32.i64 (iota s)))
  let path = replicate t last
  let path = loop path for k in t - 1..t - 2...1 do
               path with [k - 1] = back[k, path[k]]
  in (score, path)
