-- REQUIRES: x86
-- Lanes of blocks would read elements of blocks one by one, while those of the rows inside are neighbours: as many as a row has points.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s

-- CHECK-LABEL: fun main (
-- CHECK: schedule { outer 1 } segmap seq (i_{{[0-9]+}} < n_
-- CHECK: loop
-- CHECK: schedule { lanes 8; scalar } segmap seq (i_{{[0-9]+}} < 8, i_{{[0-9]+}} < 8)
def product [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

entry main [n] [k] [m] (columns: [n][k]i32) (blocks: [n][k][8][8]f32) (x: [m][8][8]f32) : [n][8][8]f32 =
  let row cs bs =
    loop sum = replicate 8 (replicate 8 0) for j < k do
      map2 (map2 (+)) sum (product bs[j] x[i64.i32 cs[j] % m])
  in map2 row columns blocks
