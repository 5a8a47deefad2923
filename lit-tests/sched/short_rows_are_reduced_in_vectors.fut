-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=mlir | FileCheck %s --check-prefix=MLIR
-- CHECK-LABEL: fun sums (
-- CHECK: schedule { lanes 16; {{.*}} } segred seq
entry sums [n] (xs: [n][16]f32) = map f32.sum xs
-- Of fewer bytes LLVM makes vectors of several.
-- CHECK-LABEL: fun few (
-- CHECK: schedule { {{.*}}loops } segmap seq
entry few [n] (xs: [n][4]f32) = map f32.sum xs
-- Of others it makes vectors, if it does not unroll the loop before.
-- CHECK-LABEL: fun odd (
-- CHECK: schedule { rolled } segred seq
entry odd [n] (xs: [n][12]f32) = map f32.sum xs
-- CHECK-LABEL: fun inside (
-- CHECK: schedule { rolled } segred seq
-- MLIR: #[[OFF:loop_unroll[0-9]*]] = #llvm.loop_unroll<disable = true>
-- MLIR: #[[ROLLED:loop_annotation[0-9]*]] = #llvm.loop_annotation<unroll = #[[OFF]]>
-- MLIR-LABEL: func.func {{.*}}@fut_inside
-- MLIR: } {loop_annotation = #[[ROLLED]]}
entry inside [n] (xs: [n][24]f64) (y: [24]f64) = map (\x -> f64.sqrt (f64.sum (map2 (\a b -> (a - b) * (a - b)) x y))) xs
-- LLVM makes no vectors of extrema of floats, nor of what lies apart, and does not unroll many rounds.
-- CHECK-LABEL: fun extremes (
-- CHECK-NOT: rolled
-- CHECK-LABEL: fun columns (
-- CHECK-NOT: rolled
-- CHECK-LABEL: fun many (
-- CHECK-NOT: rolled
entry extremes [n] (xs: [n][24]f64) = map f64.maximum xs
entry columns [n] (xs: [24][n]i32) (k: i64) = i32.sum xs[:, k]
entry many [n] (xs: [n][80]f64) = map f64.sum xs
