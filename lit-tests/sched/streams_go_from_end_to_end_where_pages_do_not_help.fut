-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- Nothing is read.
-- CHECK-LABEL: fun made (
-- CHECK: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry made (n: i64) : [n]i64 = tabulate n (\i -> i * i)

-- More arrays than a processor keeps track of.
-- CHECK-LABEL: fun many (
-- CHECK: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry many [n] (a: [n]f32) (b: [n]f32) (c: [n]f32) (d: [n]f32) (e: [n]f32) (f: [n]f32) (g: [n]f32) (h: [n]f32) : [n]f32 =
  map4 (\x y (c, d) (e, f, g, h) -> x + y * c - d * e + f * g - h) a b (zip c d) (zip4 e f g h)

-- Elements that are read in no order.
-- CHECK-LABEL: fun squares (
-- CHECK: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry squares [n] (xs: [n]f32) : [n]f32 =
  tabulate n (\i -> #[unsafe] xs[(i * i) % n] + 1)
