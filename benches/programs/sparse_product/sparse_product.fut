-- The product of a sparse matrix, whose rows have very different lengths, and a dense one. The sparse matrix is in
-- compressed sparse rows: one row of 64 has 2,000 entries, others have sizes[i] % 16. Places count modulo the number of
-- entries that are given, columns modulo the number of rows of the dense matrix.
-- ==
-- random input { [20000]u16 [1000000]u32 [1000000]f32 [10000][16]f32 }
-- input { [1u16, 18u16, 3u16] [0u32, 1u32, 3u32] [1f32, 2f32, 3f32] [[1f32, 10f32], [2f32, 20f32]] }
-- output { [[1f32, 10f32], [10f32, 100f32], [11f32, 110f32]] }

entry main [n] [m] [k] [w] (sizes: [n]u16) (columns: [m]u32) (values: [m]f32) (dense: [k][w]f32) : [n][w]f32 =
  let sizes = map (\s -> if s % 64 == 0 then 2000 else i64.u16 (s % 16)) sizes
  let starts = map2 (-) (scan (+) 0 sizes) sizes
  let element start size j =
    loop sum = 0 for e < size do
      let at = (start + e) % m
      in sum + values[at] * dense[i64.u32 (columns[at] % u32.i64 k), j]
  in map2 (\start size -> map (element start size) (iota w)) starts sizes
