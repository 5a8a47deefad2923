-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s
-- RUN: futc -w --target=seq %s --explain-schedule --target-cpu=x86-64-v4 | FileCheck --check-prefix=WHY %s

-- Points of one row are neighbours in memory, those of one column are not: where rows are cut into pieces, lanes go
-- along the main piece, though the map over the rows has operations inside, which lanes would share.

-- CHECK: #[rows] schedule { loops } segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}) : ([m_{{[0-9]+}}]f32) {
-- CHECK: #[peeled] schedule { scalar } segmap
-- CHECK: schedule { lanes 8 aligned speculate 8; scalar } segmap

-- WHY: Lanes: not possible: each point is a row in pieces
entry main [n] [m] (xss: [n][m]f32) : [n][m]f32 =
  let at i j = xss[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
  let steep x y = if x * y < 0 then f32.abs (x - y) else 0
  in tabulate_2d n m (\i j ->
       let x = at i j
       in f32.max (f32.max (steep x (at i (j + 1))) (steep x (at (i + 1) j)))
                  (f32.max (steep x (at (i + 1) (j + 1))) (steep x (at (i + 1) (j - 1)))))
