-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64 | FileCheck %s --check-prefixes=CHECK,V1
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,V4

-- A tile of as many rows and vectors as there are registers for; and of a small product, a vector of columns, or half a one.
-- CHECK-LABEL: fun singles (
-- V1: #[short_rows] schedule { lanes 4; scalar } segmap seq
-- V3: #[short_rows] schedule { lanes 8; lanes 4; scalar } segmap seq
-- V4: #[short_rows] schedule { lanes 16; lanes 8; lanes 8 partial 1; scalar } segmap seq
-- V1: schedule { contract lanes 4 tile (4, 8) block (192, 1024, 256) least 0 } segred seq
-- V3: schedule { contract lanes 8 tile (6, 16) block (192, 1024, 256) least 0 } segred seq
-- V4: schedule { contract lanes 16 tile (8, 48) block (192, 1008, 256) least 0 } segred seq
entry singles [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- CHECK-LABEL: fun doubles (
-- V1: contract lanes 2 tile (4, 4) block (192, 1024, 128) least 0
-- V3: contract lanes 4 tile (6, 8) block (192, 1024, 128) least 0
-- V4: contract lanes 8 tile (8, 24) block (192, 1008, 128) least 0
entry doubles [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a

-- What is multiplied and added may be something else.
-- CHECK-LABEL: fun shortest (
-- V1: contract lanes 4 tile (4, 8)
-- V3: contract lanes 8 tile (6, 16)
-- V4: contract lanes 16 tile (8, 48)
entry shortest [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\r -> map (\c -> reduce i32.min i32.highest (map2 (+) r c)) (transpose b)) a

-- Both by rows: what is small goes along the rows.
-- CHECK-LABEL: fun by_rows (
-- CHECK: contract lanes {{[0-9]+}} {{.*}}; {{(accumulators .*; )?}}loops } segred seq
entry by_rows [n] [m] [p] (a: [n][m]f32) (b: [p][m]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) b) a
