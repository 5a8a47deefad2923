-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,NONE
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,QUICK
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=znver4 | FileCheck %s --check-prefixes=CHECK,SLOW

-- Little is computed with what is read.
-- CHECK-LABEL: fun picked (
-- NONE: loops unroll 8 } segmap seq
-- QUICK: lanes 32; lanes 8; scalar } segmap seq
-- SLOW: loops unroll 8 } segmap seq
entry picked [n] [m] (xs: [n]f32) (is: [m]i64) : [m]f32 = map (\i -> xs[i]) is

-- Much is: then gathers pay that are not quick.
-- CHECK-LABEL: fun computed (
-- NONE: loops unroll {{[48]}} } segmap seq
-- QUICK: lanes
-- SLOW: lanes
entry computed [n] [m] (xs: [n]f32) (is: [m]i64) : [m]f32 =
  map (\i -> let x = xs[i] in ((x * x + 7) * x + 5) * x * x + x * 3 - 1) is

-- Four operations are too few.
-- CHECK-LABEL: fun scaled (
-- NONE: loops unroll {{[48]}} } segmap seq
-- QUICK: lanes
-- SLOW: loops unroll {{[48]}} } segmap seq
entry scaled [n] [m] (xs: [n]f32) (is: [m]i64) : [m]f32 =
  map (\i -> let x = xs[i] in x * x * 2 + x) is

-- So is what a filter asks of what it reads.
-- CHECK-LABEL: fun kept (
-- NONE: segmap
-- QUICK: #[in_cache] schedule { lanes
-- SLOW: #[in_cache] schedule { loops
entry kept [n] [m] (xs: [n]f32) (is: [m]i64) : []i64 = filter (\i -> xs[i] < 0) is
