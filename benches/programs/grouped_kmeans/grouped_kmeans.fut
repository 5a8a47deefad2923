-- k-means of many groups of points at once, each by itself. Groups have very different sizes: one of 64 has 2,000 points,
-- others have sizes[i] % 16. Points count modulo the number of points that are given.
-- ==
-- random input { 5i32 [5000]u16 [2][100000]f32 }
-- input { 2i32 [5u16, 1u16] [[0f32, 1f32, 10f32, 11f32, 12f32, 3f32], [0f32, 0f32, 0f32, 0f32, 0f32, 0f32]] }
-- output { [[0.5f32, 11f32, 0f32, 0f32], [3f32, 3f32, 0f32, 0f32]] }

def k : i64 = 2

-- For each element of `sizes` its index, as often as it says.
def expand [g] (sizes: [g]i64) (ends: [g]i64) : []i64 =
  let total = if g == 0 then 0 else ends[g - 1]
  let marks = reduce_by_index (replicate total 0) (+) 0 (map2 (-) ends sizes) (replicate g 1)
  in map (\before -> before - 1) (scan (+) 0 marks)

entry main [g] [n] (rounds: i32) (sizes: [g]u16) (points: [2][n]f32) : [g][4]f32 =
  let sizes = map (\s -> if s % 64 == 0 then 2000 else i64.u16 (s % 16)) sizes
  let ends = scan (+) 0 sizes
  let starts = map2 (-) ends sizes
  let groups = expand sizes ends
  let point i = (points[0, i % n], points[1, i % n])
  let middle s size c = if size == 0 then (0, 0) else point (s + c * size / k)
  let centres = flatten (map2 (\s size -> tabulate k (middle s size)) starts sizes)
  let round (centres: [g * k](f32, f32)) =
    let nearest i group =
      let (x, y) = point i
      let distance c =
        let (a, b) = centres[group * k + c]
        in (x - a) * (x - a) + (y - b) * (y - b)
      in (loop (best, least) = (0, f32.inf) for c < k do
            let d = distance c in if d < least then (c, d) else (best, least)).0
    let buckets = map2 (\i group -> group * k + nearest i group) (indices groups) groups
    let sums =
      reduce_by_index (replicate (g * k) (0, 0, 0)) (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0)
                      buckets (map (\i -> let (x, y) = point i in (x, y, 1)) (indices groups))
    in map2 (\(x, y, count) old -> if count == 0 then old else (x / count, y / count)) sums centres
  let centres = unflatten (iterate rounds round centres)
  in map (\row -> [row[0].0, row[1].0, row[0].1, row[1].1]) centres
