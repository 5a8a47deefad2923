-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- CHECK-LABEL: define {{.*}}@futc_entry_axpy(
-- CHECK: fmul <8 x float>
-- CHECK: fadd <8 x float>
-- CHECK: store <8 x float>
entry axpy [n] (a: f32) (xs: [n]f32) (ys: [n]f32) = map2 (\x y -> a * x + y) xs ys
-- Sums have several accumulators, each of several lanes.
-- CHECK-LABEL: define {{.*}}@futc_entry_dot(
-- CHECK: fadd reassoc <8 x float>
-- CHECK: fadd reassoc <8 x float>
-- CHECK: @llvm.vector.reduce.fadd
entry dot [n] (xs: [n]f32) (ys: [n]f32) = f32.sum (map2 (*) xs ys)
-- A loop that is written as one keeps its order.
-- CHECK-LABEL: define {{.*}}@futc_entry_ordered(
-- CHECK-NOT: reassoc
-- CHECK: ret void
entry ordered [n] (xs: [n]f32) = loop s = 0 for x in xs do s + x
