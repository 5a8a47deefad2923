-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- Neighbours are read along the first dimension and written along the second one.
-- CHECK-LABEL: fun across (
-- CHECK: schedule { panels (0, 1) rows 1024 ahead 32 least 64 from 16777216; tiles (0, 1) size 32 } segmap seq
entry across [k] [n] [m] (xsss: [k][n][m]f32) : [k][m][n]f32 =
  map (\xss -> let s = f32.sum (map f32.sum xss) in map (map (+ s)) (transpose xss)) xsss

-- What is known to be in the caches has no panels, and what does not go across has no tiles.
-- CHECK-LABEL: fun small (
-- CHECK: schedule { tiles (0, 1) size 32 } segmap seq
entry small (xsss: [9][100][200]f32) : [9][200][100]f32 =
  map (\xss -> let s = f32.sum (map f32.sum xss) in map (map (+ s)) (transpose xss)) xsss

-- A few columns are read one after the other.
-- CHECK-LABEL: fun narrow (
-- CHECK: schedule { stream chunk 128 from 16777216; innermost 0 } segmap seq
entry narrow [n] (xss: [n][4]f32) : [4][n]f32 = map (map (+ 1)) (transpose xss)

-- CHECK-LABEL: fun along (
-- CHECK: schedule { stream {{.*}}; loops } segmap seq
entry along [n] [m] (xss: [n][m]f32) : [n][m]f32 = map (map (+ 1)) xss

-- A single matrix is transposed by squares before it is read.
-- CHECK-LABEL: fun squares (
-- CHECK: schedule { {{.*}}squares
-- CHECK: schedule {{.*}}segmap seq
entry squares [n] [m] (xss: [n][m]f32) : [m][n]f32 = map (map (+ 1)) (transpose xss)
