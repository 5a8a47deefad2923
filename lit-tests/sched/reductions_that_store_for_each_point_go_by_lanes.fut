-- REQUIRES: x86
-- RUN: futc -w %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s

-- A map that is summed up and kept: by lanes if its points have checks and no loops.
-- CHECK-LABEL: fun checked (
-- CHECK: schedule { lanes {{[0-9]+}}{{( speculate [0-9]+)?}}; scalar } segred
entry checked [n] [m] (xs: [n]i64) (is: [m]i64) : (i64, [m]i64) =
  let ys = map (\i -> if i % 3 == 0 then xs[i] * 7 - 1 else xs[i / 2] * i * i + 5) is
  in (i64.sum ys, ys)

-- Not with loops inside.
-- CHECK-LABEL: fun loops (
-- CHECK: schedule { loops } segred
entry loops [m] (is: [m]i64) (k: i64) : (i64, [m]i64) =
  let ys = map (\i -> loop y = i for _j < k do y * y + 1) is
  in (i64.sum ys, ys)
