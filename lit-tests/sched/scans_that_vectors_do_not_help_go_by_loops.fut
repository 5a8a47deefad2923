-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- CHECK-LABEL: fun few (
-- CHECK: schedule { loops } segscan seq
entry few (xs: [31]f32) : [31]f32 = scan (+) 0 xs

-- CHECK-LABEL: fun enough (
-- CHECK: schedule { vectors 8 chunk 1024 } segscan seq
entry enough (xs: [32]f32) : [32]f32 = scan (+) 0 xs

-- A division, which lanes that are not taken may not make; and one operation too many.
-- CHECK-LABEL: fun divides (
-- CHECK: schedule { loops } segscan seq
entry divides [n] (xs: [n]i32) : [n]i32 = scan (\a b -> if b == 0 then a else a / b + b) 1 xs

-- CHECK-LABEL: fun matrices (
-- CHECK: schedule { loops } segscan seq
entry matrices [n] (xs: [n](f64, f64, f64, f64)) : [n](f64, f64, f64, f64) =
  scan (\(a, b, c, d) (e, f, g, h) -> (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)) (1, 0, 0, 1) xs
