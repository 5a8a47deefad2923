-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=llvm | FileCheck %s --check-prefix=WIDE
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --exact-math %s --emit=llvm | FileCheck %s --check-prefix=EXACT
-- EXACT-NOT: llvm.fma
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a
-- Twelve accumulators: six rows of two vectors.
-- CHECK-LABEL: define {{.*}}@futc_entry_product(
-- CHECK-COUNT-12: phi <8 x float>
-- CHECK-COUNT-12: call <8 x float> @llvm.fma.v8f32(
-- WIDE-LABEL: define {{.*}}@futc_entry_product(
-- WIDE-COUNT-24: call <16 x float> @llvm.fma.v16f32(
entry product [n][m][p] (a: [n][m]f32) (b: [m][p]f32) = matmul a b
-- The layouts of the operands do not matter, nor does it what is multiplied and added.
-- CHECK-LABEL: define {{.*}}@futc_entry_transposed(
-- CHECK-COUNT-12: call <8 x float> @llvm.fma.v8f32(
entry transposed [n][m][p] (a: [m][n]f32) (b: [p][m]f32) = matmul (transpose a) (transpose b)
-- CHECK-LABEL: define {{.*}}@futc_entry_shortest(
-- CHECK-COUNT-12: call <8 x i32> @llvm.smin.v8i32(
entry shortest [n][m][p] (a: [n][m]i32) (b: [m][p]i32) =
  map (\r -> map (\c -> reduce i32.min i32.highest (map2 (+) r c)) (transpose b)) a
