-- A body of more statements has lanes of one register, too, for rows shorter than the lanes of eight registers; and one strip for those
-- shorter than a register, of which some lanes take no part, where vectors have masks.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --emit=sched %s | FileCheck %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --emit=sched %s | FileCheck --check-prefix=V3 %s

-- CHECK: schedule { lanes 128; lanes 16; lanes 16 partial 1; scalar } segmap
-- V3: schedule { lanes 32; lanes 8; scalar } segmap
entry main [n] [m] [k] (image: [n][m]f32) (w: [k][k]f32) : [][]f32 =
  tabulate_2d (n - k + 1) (m - k + 1) (\i j -> f32.sum (flatten (map2 (map2 (*)) w image[i:i + k, j:j + k])))
