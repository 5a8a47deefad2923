-- REQUIRES: x86
-- RUN: futc -w %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- What is written goes from end to end, however many arrays are read.
-- CHECK-LABEL: fun one (
-- CHECK: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry one [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs

-- CHECK-LABEL: fun two (
-- CHECK: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry two [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 = map2 (+) xs ys

-- CHECK-LABEL: fun five (
-- CHECK: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry five [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (d: [n]f64) (e: [n]f64) : [n]f64 =
  map5 (\a b c d e -> a + b * c - d * e) a b c d e

-- What is only read: eight pages of 4096 bytes at a time.
-- CHECK-LABEL: fun sum (
-- CHECK: pages (8, 1024, {{[0-9]+}}) least 1048576
entry sum [n] (xs: [n]f32) : f32 = f32.sum xs

-- CHECK-LABEL: fun product (
-- CHECK: pages (8, 1024, {{[0-9]+}}) least 524288
entry product [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)
