-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- CHECK-LABEL: fun small (
-- CHECK: schedule { columns 1 block 1024 } segred seq
entry small (a: [16][16]f32) (b: [16][16]f32) : [16][16]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- CHECK-LABEL: fun large (
-- CHECK: schedule { contract {{.*}} least 8192; columns 1 block 1024 } segred seq
entry large (a: [32][16]f32) (b: [16][16]f32) : [32][16]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- Every row of the matrix is met once only.
-- CHECK-LABEL: fun vector (
-- CHECK: schedule { accumulators 64 {{.*}}; loops } segred seq
entry vector [n] [m] (a: [n][m]f32) (x: [m]f32) : [n]f32 =
  map (\r -> f32.sum (map2 (*) r x)) a
