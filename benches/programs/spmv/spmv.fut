-- The product of a sparse matrix and a vector. The matrix is in compressed sparse rows: row i has
-- sizes[i] % 32 entries, which come after those of the rows before it, and whose columns count
-- modulo the length of the vector.
-- ==
-- random input { [100000]u8 [3200000]u32 [3200000]f32 [100000]f32 }
-- input { [2u8, 0u8, 1u8] [0u32, 2u32, 4u32] [1f32, 2f32, 3f32] [10f32, 20f32, 30f32] }
-- output { [70f32, 0f32, 60f32] }

entry main [n] [m] [k] (sizes: [n]u8) (columns: [m]u32) (values: [m]f32) (x: [k]f32) : [n]f32 =
  let sizes = map (\s -> i64.u8 (s % 32)) sizes
  let starts = map2 (-) (scan (+) 0 sizes) sizes
  let row start size =
    loop sum = 0 for e in start..<start + size do
      sum + values[e] * x[i64.u32 (columns[e] % u32.i64 k)]
  in map2 row starts sizes
