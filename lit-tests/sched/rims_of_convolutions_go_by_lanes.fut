-- Of a full convolution, all but a few points are before or behind those that a whole window has. Windows become longer there from point to
-- point, or shorter, so that their indexes need no checks.
-- RUN: futc -w --target=seq %s --emit=sched | FileCheck %s

-- The first points, as far as the other array reaches.
-- CHECK-LABEL: fun main (
-- CHECK: segmap seq
-- CHECK: schedule { lanes {{.*}} segmap seq
-- CHECK-NOT: segmap
-- CHECK: = loop
-- CHECK-NOT: assert
-- CHECK: segmap seq
-- CHECK: concat(
-- Those of whole windows.
-- CHECK: schedule { lanes {{.*}} segmap seq
-- CHECK-NOT: assert
-- CHECK: segmap seq
-- The last points.
-- CHECK: schedule { lanes {{.*}} segmap seq
-- CHECK-NOT: segmap
-- CHECK: = loop
-- CHECK-NOT: assert
-- CHECK: segmap seq
-- CHECK: concat(
entry main [n] (a: [n]i32) (b: [n]i32) : []i32 =
  tabulate (n + n - 1) (\k ->
    let lo = i64.max 0 (k - n + 1)
    let hi = i64.min (n - 1) k
    in loop s = 0 for i in lo..<(hi + 1) do s + a[i] * b[k - i])
