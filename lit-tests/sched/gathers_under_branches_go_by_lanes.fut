-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s
-- LLVM makes vectors of some such loops, and not of others that differ in where their arrays are known to lie.
-- CHECK-LABEL: fun main (
-- CHECK: lanes
entry main [n] (xs: [n]f32) (ys: [n]f32) =
  let at i = if i >= 0 && i < n then xs[i] else 0
  in map (\y -> let i = i64.f32 y let t = y - f32.i64 i
                in (1 - t) * at i + t * at (i + 1) + t * t * at (i + 2)) ys
