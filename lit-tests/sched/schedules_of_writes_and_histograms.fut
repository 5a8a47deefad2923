-- RUN: futc --target=seq --emit=sched --target-cpu=x86-64-v4 %s 2>&1 | FileCheck %s

-- What is asked for before a scatter or a histogram is asked of the operation that it becomes, and refused where that cannot be.

-- CHECK-LABEL: [schedule-refused] Warning: this operation cannot be scheduled as lanes
-- CHECK: #[schedule(lanes)] hist
-- CHECK: only maps and reductions go by lanes

-- CHECK-LABEL: fun by_lanes (
-- CHECK: #[schedule(lanes)] schedule dummy { lanes 32; loops } segmap
entry by_lanes [n] (xs: *[n]i32) (is: [n]i64) (vs: [n]i32) =
  #[schedule(lanes)] scatter xs is vs

-- CHECK-LABEL: fun point_by_point (
-- CHECK: #[schedule(loops)] schedule dummy { loops } segmap
entry point_by_point [n] (xs: *[n]i8) (is: [n]i64) (vs: [n]i8) =
  #[schedule(loops)] scatter xs is vs

entry counted [n] (is: [n]i64) = #[schedule(lanes)] hist (+) 0 10 is is
