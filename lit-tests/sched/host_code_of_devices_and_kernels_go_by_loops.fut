-- RUN: futc -w %s --emit=sched --target=gpu-emu | FileCheck %s

-- A kernel is mapped to threads by its level, in blocks of so many.
-- CHECK-LABEL: fun mapped (
-- CHECK: = schedule { threads 256 } segmap grid (
entry mapped [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs

-- What a thread does goes by loops.
-- CHECK-LABEL: fun inside (
-- CHECK: = schedule { threads 256 } segmap grid (
-- CHECK: schedule { loops } segred seq
entry inside [n] [m] (xss: [n][m]f32) : [n]f32 = map f32.maximum xss

-- So does what the host scans, but reductions have accumulators.
-- CHECK-LABEL: fun host (
-- CHECK: schedule { loops } segscan seq
-- CHECK: schedule { accumulators 64 {{.*}}; loops } segred seq
entry host [n] (xs: [n]f32) : ([n]f32, f32) =
  let ys = scan (+) 0 xs
  in (ys, f32.maximum ys)
