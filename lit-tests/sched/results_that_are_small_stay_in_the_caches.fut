-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- CHECK-LABEL: fun small (
-- CHECK: schedule { loops } segmap seq
entry small (xs: [1000]f32) : [1000]f32 = map (+ 1) xs

-- One element less than would be beyond them; and as many as would.
-- CHECK-LABEL: fun nearly (
-- CHECK: schedule { loops } segmap seq
entry nearly (xs: [4194303]f32) : [4194303]f32 = map (+ 1) xs

-- CHECK-LABEL: fun just (
-- CHECK: schedule { stream chunk 128 pages (8, 1024, 128) least 1048576 from 16777216; loops } segmap seq
entry just (xs: [4194304]f32) : [4194304]f32 = map (+ 1) xs

-- The rows of a matrix that is put together do not begin where a block does.
-- CHECK-LABEL: fun behind (
-- CHECK-NOT: stream
-- CHECK: schedule { loops } segmap seq
-- CHECK-NOT: stream
-- CHECK: in (
entry behind [n] (xs: [n]f32) (ys: [n]f32) : []f32 = ys ++ map (\x -> x * x + 1) xs
