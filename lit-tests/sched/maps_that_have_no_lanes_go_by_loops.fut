-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s

-- A function that vectors do not have, in a loop.
-- CHECK-LABEL: fun functions (
-- CHECK: schedule { loops } segmap seq
entry functions [n] (k: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop p = 1 for _i < k do f32.lgamma (p * x)) xs

-- Elements anywhere, and nothing else.
-- CHECK-LABEL: fun checks (
-- CHECK: schedule { loops } segmap seq
entry checks [n] [m] (xs: [n]i64) (ks: [m]i64) : [m]i64 =
  map (\k -> loop i = k for _j < 10 do xs[i]) ks

-- Points that make rows of the result, element by element: these are far apart for lanes.
-- CHECK-LABEL: fun rows (
-- CHECK: schedule { loops } segmap seq
entry rows [n] (k: i64) (xs: [n]f32) : [n][k]f32 =
  map (\x -> loop a = replicate k x for i < k - 1 do a with [i + 1] = a[i] * x) xs

-- Neighbours along another dimension of an array: what is read in the loop is far away for each lane.
-- CHECK-LABEL: fun matrix (
-- CHECK: schedule { loops } segmap seq
entry matrix [n] [k] (xss: [n][k]f64) : [n]f64 =
  map (\xs -> loop p = 1 for x in xs do x * p - 1) xss

-- Straight code is left to LLVM.
-- CHECK-LABEL: fun straight (
-- CHECK: schedule { stream {{.*}}; loops } segmap seq
entry straight [n] (xs: [n]f32) : [n]f32 = map (\x -> x * x + 1) xs
