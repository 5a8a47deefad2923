-- RUN: futc --target=seq %s --emit=mlir | FileCheck %s

-- Functions of their own have registers for where seven arrays lie.
-- CHECK-LABEL: func.func private @apart_0(
-- CHECK: scf.for
-- CHECK-COUNT-3: arith.addf
-- CHECK-LABEL: func.func private @fut_many(
-- CHECK: call @apart_0(
entry many [n] (is: [n]i64) (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (k: i64) =
  reduce_by_index (replicate k (0, 0, 0)) (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0) is (zip3 xs ys zs)

-- Those of few stay where they are, and so do those of other operations.
-- CHECK-LABEL: func.func private @fut_few(
-- CHECK-NOT: call @apart
-- CHECK: scf.for
entry few [n] (is: [n]i64) (xs: [n]f32) (k: i64) = reduce_by_index (replicate k 0) (+) 0 is xs

-- CHECK-LABEL: func.func private @fut_rows(
-- CHECK-NOT: call @apart
entry rows [m] [n] (is: [m][n]i64) (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) =
  map (\is -> reduce_by_index (replicate n (0, 0, 0)) (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0) is (zip3 xs ys zs)) is
