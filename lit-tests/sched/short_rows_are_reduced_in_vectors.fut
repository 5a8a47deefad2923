-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s
-- CHECK-LABEL: fun sums (
-- CHECK: schedule { lanes 16; {{.*}} } segred seq
entry sums [n] (xs: [n][16]f32) = map f32.sum xs
-- Of fewer bytes LLVM makes vectors of several.
-- CHECK-LABEL: fun few (
-- CHECK: schedule { {{.*}}loops } segmap seq
entry few [n] (xs: [n][4]f32) = map f32.sum xs
-- CHECK-LABEL: fun odd (
-- CHECK: schedule { loops } segred seq
entry odd [n] (xs: [n][12]f32) = map f32.sum xs
