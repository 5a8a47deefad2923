-- REQUIRES: x86
-- RUN: futc -w --target=seq -O2 %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- Neither streams past the caches …
-- CHECK-LABEL: fun one (
-- CHECK: schedule { loops } segmap seq
entry one [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs

-- … nor page streams, …
-- CHECK-LABEL: fun sum (
-- CHECK: schedule { loops } segred seq
entry sum [n] (xs: [n]f32) : f32 = f32.sum xs

-- … but what is slow otherwise stays.
-- CHECK-LABEL: fun most (
-- CHECK: schedule { accumulators 64 least 512; loops } segred seq
entry most [n] (xs: [n]f32) : f32 = f32.maximum xs

-- CHECK-LABEL: fun sums (
-- CHECK: schedule { vectors 8 chunk 1024 } segscan seq
entry sums [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs
