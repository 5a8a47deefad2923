-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s

-- Whether the row is there does not depend on the column, which only the message tells.
-- CHECK-LABEL: func.func {{.*}}@fut_rows
-- CHECK: vector<
-- CHECK-NOT: vector.reduce.and
-- CHECK: futc_fail
-- CHECK: return
entry rows [n] [m] (k: i64) (xs: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j -> loop s = 0 for d < k do s + xs[i64.min (n - 1) (i + d), j])
