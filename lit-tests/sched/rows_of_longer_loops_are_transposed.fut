-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s

-- A loop of more rounds than a row has elements reads some of them again: rows of a strip are transposed before.
-- CHECK-LABEL: fun hashes (
-- CHECK: [[ROWS:xs_[0-9]+]]: [16][32]i32 {{.*}} = {{.*}}copy
-- CHECK: #[strip] schedule { lanes {{.*}} segmap seq ([[LANE:lane_[0-9]+]] < 32)
-- CHECK: for [[I:i_[0-9]+]]: i32 < 64i32
-- CHECK: index [[ROWS]]{{\[}}{{t_[0-9]+}}, [[LANE]]]
entry hashes [n] (xs: [n][16]u32) : [n]u32 =
  map (\m -> loop h = 7 for i < 64 do (h << 5 | h >> 27) + m[(5 * i + 1) % 16] * (h ^ 0x9e3779b9)) xs
