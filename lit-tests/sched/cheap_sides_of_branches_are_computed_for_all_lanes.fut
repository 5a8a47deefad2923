-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 -o %t.core
-- RUN: sed 's/speculate 8/speculate 0/' %t.core > %t.none.core
-- RUN: futc-opt %t.none.core | FileCheck %s --check-prefix=NONE

-- Sides of branches with few operations, where there are branches.
-- CHECK-LABEL: fun branches (
-- CHECK: schedule { lanes 64 speculate 8; lanes 16 speculate 8; lanes 8 speculate 8; scalar } segmap seq
-- NONE: schedule { lanes 64; lanes 16; lanes 8; scalar } segmap seq
entry branches [n] (k: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop y = x for i < k do if y > 1 then y * 0.5 else y * y + f32.i64 i) xs

-- CHECK-LABEL: fun straight (
-- CHECK: schedule { lanes 64; lanes 16; lanes 8; scalar } segmap seq
entry straight [n] (k: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop p = 1 for _i < k do p * x + 1) xs
