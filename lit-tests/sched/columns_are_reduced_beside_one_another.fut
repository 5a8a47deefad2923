-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- CHECK-LABEL: fun down (
-- CHECK: schedule { columns 0 block 1024 } segred seq
entry down [n] [m] (xss: [n][m]f32) : [m]f32 = map f32.sum (transpose xss)

-- Operators need not commute for it: elements of a column meet in order.
-- CHECK-LABEL: fun in_order (
-- CHECK: schedule { columns 0 block 1024 } segred seq
entry in_order [n] [m] (xss: [n][m]f32) (yss: [n][m]f32) : [m](f32, f32) =
  map2 (\xs ys -> reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys)) (transpose xss) (transpose yss)

-- Along rows, and where something is read by rows and something else by columns, rows are better.
-- CHECK-LABEL: fun along (
-- CHECK: schedule { accumulators 64 {{.*}}; loops } segred seq
entry along [n] [m] (xss: [n][m]f32) : [n]f32 = map f32.sum xss

-- CHECK-LABEL: fun both (
-- CHECK: schedule { loops } segred seq
entry both [n] (xss: [n][n]f32) : [n]f32 = map2 (\r c -> f32.sum (map2 (*) r c)) xss (transpose xss)

-- One dimension has no columns.
-- CHECK-LABEL: fun vector (
-- CHECK: schedule { accumulators 64 {{.*}}; loops } segred seq
entry vector [n] (xs: [n]f32) : f32 = f32.sum xs
