-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- What LLVM splits itself, only where there is much to read.
-- CHECK-LABEL: fun sum (
-- CHECK: schedule { accumulators 64 pages (8, 1024, 64) least 1048576 least 1048576; loops } segred seq
entry sum [n] (xs: [n]f32) : f32 = f32.sum xs

-- A maximum of floats, which it does not, from fewer elements on.
-- CHECK-LABEL: fun greatest (
-- CHECK: schedule { accumulators 64 pages (8, 1024, 64) least 1048576 least 512; loops } segred seq
entry greatest [n] (xs: [n]f32) : f32 = f32.maximum xs

-- Two arrays.
-- CHECK-LABEL: fun dot (
-- CHECK: schedule { accumulators 64 pages (8, 512, 64) least 262144 least 262144; loops } segred seq
entry dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

-- Without pages where elements are made, or a branch chooses.
-- CHECK-LABEL: fun made (
-- CHECK: schedule { accumulators 64 least 512; loops } segred seq
entry made (n: i64) : f32 = f32.maximum (tabulate n (\i -> f32.i64 (i * i % 1000)))
