-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v4 | FileCheck %s --check-prefix=MLIR

-- A lane leaves the loop of a reduction when it has gone through as many elements as its point has.
-- CHECK-LABEL: fun rounds (
-- CHECK: schedule { lanes {{.*}} } segmap seq (i_{{[0-9]+}} < n_
-- CHECK: segred seq (
-- MLIR-LABEL: func.func {{.*}}@fut_rounds
-- MLIR: scf.while {{.*}}vector<[[W:[0-9]+]]xf32>
-- MLIR: arith.cmpi slt, {{.*}} : vector<[[W]]xi64>
-- MLIR: vector.reduction <or>
-- MLIR: scf.condition
entry rounds [n] (ks: [n]i64) (xs: [n]f32) : [n]f32 =
  map2 (\k x -> f32.sum (map (\i -> loop y = x for _j < i do y * 2 + f32.i64 i) (iota (k % 30)))) ks xs

-- So does it where the operator is more than one operation.
-- CHECK-LABEL: fun pairs (
-- CHECK: schedule { lanes {{.*}} } segmap seq (i_{{[0-9]+}} < n_
-- CHECK: segred seq (
entry pairs [n] (ks: [n]i64) (xs: [n]f32) : [n](f32, f32) =
  map2 (\k x -> reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\i -> (x, f32.i64 i)) (iota (k % 30)))) ks xs

-- Of other sums LLVM makes vectors: lanes would wait for the longest one.
-- CHECK-LABEL: fun prefixes (
-- CHECK: schedule { loops } segmap seq (i_{{[0-9]+}} < n_
entry prefixes [n] (xs: [n]f32) : [n]f32 =
  map (\i -> f32.sum (map (\j -> xs[i] * xs[j]) (iota i))) (iota n)

-- Windows have as many elements everywhere but at the borders: rows of points go by lanes between them, and what is beside is in
-- pieces of their own.
-- CHECK-LABEL: fun windows (
-- CHECK: schedule { {{.*}} } segmap seq (i_{{[0-9]+}} < [[FIRST:t_[0-9]+]])
-- CHECK: schedule { lanes 128; lanes 16; {{.*}} } segmap seq (
-- CHECK: segred seq (
-- CHECK: segred seq (
-- CHECK: schedule { {{.*}} } segmap seq (
-- MLIR-LABEL: func.func {{.*}}@fut_windows
-- MLIR: vector.load {{.*}}, vector<128xf32>
-- MLIR-NOT: vector.gather
-- MLIR: return
entry windows [n] [m] (r: i64) (a: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j ->
    let (i0, i1) = (i64.max 0 (i - r), i64.min (n - 1) (i + r))
    let (j0, j1) = (i64.max 0 (j - r), i64.min (m - 1) (j + r))
    in f32.sum (map (\x -> f32.sum a[x, j0:j1 + 1]) (i0...i1)))
