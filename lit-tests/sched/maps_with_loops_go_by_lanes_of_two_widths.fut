-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64 | FileCheck %s --check-prefixes=CHECK,V1
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,V4

-- As many points as fill some registers, and for fewer points as many as fill one, or two if there are very many.
-- CHECK-LABEL: fun powers (
-- V1: schedule { lanes 32; lanes 8; lanes 4; scalar } segmap seq
-- V3: schedule { lanes 64; lanes 16; lanes 8; scalar } segmap seq
-- V4: schedule { lanes 128; lanes 32; lanes 16; scalar } segmap seq
entry powers [n] (k: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop p = 1 for _i < k do p * x + 1) xs

-- Values of eight bytes, and three of them that a loop carries: twice as many where there are twice as many registers.
-- CHECK-LABEL: fun carried (
-- V1: schedule { lanes 4; lanes 2; scalar } segmap seq
-- V3: schedule { lanes 8; lanes 4; scalar } segmap seq
-- V4: schedule { lanes 32; lanes 8; scalar } segmap seq
entry carried [n] (k: i64) (xs: [n]f64) : [n]f64 =
  map (\x -> let (a, b, c) = loop (a, b, c) = (x, 1, x * x) for _i < k do (a * b + c, b + c, c * x - a)
             in a + b + c) xs

-- A loop that ends for some before it does for others: two registers.
-- CHECK-LABEL: fun until (
-- V1: schedule { lanes 8; lanes 4; scalar } segmap seq
-- V3: schedule { lanes 16; lanes 8; scalar } segmap seq
-- V4: schedule { lanes 32; lanes 16; scalar } segmap seq
entry until [n] (xs: [n]f32) : [n]f32 =
  map (\x -> loop y = x while y > 1 do y * 0.5) xs

-- Of a number of points that is known, no more lanes than points.
-- CHECK-LABEL: fun ten (
-- V1: schedule { lanes 8; lanes 4; scalar } segmap seq
-- V3: schedule { lanes 8; scalar } segmap seq
-- V4: schedule { scalar } segmap seq
entry ten (k: i64) (xs: [10]f32) : [10]f32 =
  map (\x -> loop p = 1 for _i < k do p * x + 1) xs

-- So many that wide strips are all of them, in fewer of the longest registers than for more points.
-- CHECK-LABEL: fun sixty_four (
-- V1: schedule { lanes 32; scalar } segmap seq
-- V3: schedule { lanes 64; scalar } segmap seq
-- V4: schedule { lanes 64; scalar } segmap seq
entry sixty_four (k: i64) (xs: [64]f32) : [64]f32 =
  map (\x -> loop p = 1 for _i < k do p * x + 1) xs
