-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- A short body with a check, of which LLVM makes no vectors.
-- CHECK-LABEL: fun picked (
-- CHECK: schedule { {{(stream .*; )?}}loops unroll 8 } segmap seq
entry picked [n] [m] (xs: [n]f32) (is: [m]i64) : [m]f32 = map (\i -> xs[i]) is

-- A longer one, four at a time.
-- CHECK-LABEL: fun two (
-- CHECK: schedule { {{(stream .*; )?}}loops unroll 4 } segmap seq
entry two [n] [m] (xs: [n]f32) (ys: [n]f32) (is: [m]i64) (js: [m]i64) : [m]f32 =
  map2 (\i j -> xs[i] * ys[j]) is js

-- So go reductions.
-- CHECK-LABEL: fun sum (
-- CHECK: schedule { {{(stream .*; )?}}loops unroll 8 } segred seq
entry sum [n] [m] (xs: [n]i32) (is: [m]i64) : i32 = i32.sum (map (\i -> xs[i]) is)

-- But not what is not checked, nor what branches, nor the rows of a matrix, which may be short.
-- CHECK-LABEL: fun plain (
-- CHECK: schedule { stream {{.*}}; loops } segmap seq
entry plain [n] (xs: [n]f32) : [n]f32 = map (* 2) xs

-- CHECK-LABEL: fun branches (
-- CHECK: schedule { stream {{.*}}; loops } segmap seq
entry branches [n] [m] (xs: [n]f32) (is: [m]i64) : [m]f32 =
  map (\i -> if i < 0 then 0 else xs[i]) is

-- CHECK-LABEL: fun rows (
-- CHECK: schedule { stream {{.*}}; loops } segmap seq
entry rows [n] [m] [k] (xs: [n]f32) (iss: [k][m]i64) : [k][m]f32 = map (map (\i -> xs[i])) iss
