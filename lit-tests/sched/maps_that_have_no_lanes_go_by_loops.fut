-- REQUIRES: x86
-- RUN: futc -w %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s

-- A function that vectors do not have.
-- CHECK-LABEL: fun functions (
-- CHECK: schedule { loops } segmap seq
entry functions [n] (k: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop p = 1 for _i < k do f32.sin (p * x)) xs

-- A check in the loop, which lanes may fail in any order.
-- CHECK-LABEL: fun checks (
-- CHECK: schedule { {{.*}}loops } segmap seq
-- CHECK-NOT: lanes
entry checks [n] [m] (xs: [n]i64) (ks: [m]i64) : [m]i64 =
  map (\k -> loop i = k for _j < 10 do xs[i]) ks

-- Points that make arrays.
-- CHECK-LABEL: fun rows (
-- CHECK-NOT: lanes
-- CHECK: in (
entry rows [n] (k: i64) (xs: [n]f32) : [n][k]f32 =
  map (\x -> scan (+) 0 (replicate k x)) xs

-- Results that are no neighbours.
-- CHECK-LABEL: fun straight (
-- CHECK-NOT: lanes
-- CHECK: in (
entry straight [n] (xs: [n]f32) : [n]f32 = map (\x -> x * x + 1) xs
