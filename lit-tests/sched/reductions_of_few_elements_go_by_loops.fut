-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- CHECK-LABEL: fun few (
-- CHECK: schedule { loops } segred seq
entry few (xs: [511]f32) : f32 = f32.maximum xs

-- CHECK-LABEL: fun enough (
-- CHECK: schedule { accumulators 64 {{.*}}; loops } segred seq
entry enough (xs: [512]f32) : f32 = f32.maximum xs

-- LLVM splits a sum of what is computed.
-- CHECK-LABEL: fun made (
-- CHECK: schedule { loops } segred seq
entry made (n: i64) : f32 = f32.sum (tabulate n (\i -> f32.i64 (i * i)))

-- CHECK-LABEL: fun sum (
-- CHECK: schedule { loops } segred seq
entry sum (xs: [100000]f32) : f32 = f32.sum xs
