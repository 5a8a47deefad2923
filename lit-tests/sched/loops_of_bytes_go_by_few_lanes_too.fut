-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,V4

-- Registers have more bytes than many arrays have elements.
-- CHECK-LABEL: fun bytes (
-- V3: schedule { lanes 128; lanes 32; lanes 16; scalar } segmap seq
-- V4: schedule { lanes 256; lanes 64; lanes 16; scalar } segmap seq
entry bytes [n] (k: i64) (xs: [n]u8) : [n]u8 =
  map (\x -> loop p = x for _i < k do p * x + 1) xs
