-- REQUIRES: x86
-- RUN: futc --target=seq --emit=sched --target-cpu=x86-64-v4 %s | FileCheck %s

-- What points compute in loops is stored, and summed besides: lanes gain what they gain without the sum.

-- CHECK-LABEL: fun rounds (
-- CHECK: schedule { lanes {{.*}} } segred
entry rounds [n] (xs: [n]f64) : ([n]f64, f64) =
  let ys = map (\x -> iterate 100 (\y -> y * 0.99 + x) 0) xs
  in (ys, f64.sum ys)

-- CHECK-LABEL: fun escapes (
-- CHECK: schedule { lanes {{.*}} } segred
entry escapes [n] (xs: [n]f32) : ([n]i32, i32) =
  let count x = (loop (y, k) = (0, 0) while k < 100 && y < 4 do (y * y + x, k + 1)).1
  let counts = map count xs
  in (counts, i32.sum counts)

-- Rounds of graph algorithms read from anywhere, and most of their points have nothing to do.
-- CHECK-LABEL: fun pulled (
-- CHECK: schedule { loops } segred
entry pulled [n] (levels: [n]i32) (edges: [n][8]i32) (depth: i32) : ([n]i32, bool) =
  let pull level row = if level >= 0 then level else if any (\u -> levels[u] == depth) row then depth + 1 else -1
  let next = map2 pull levels edges
  in (next, any (== depth + 1) next)
