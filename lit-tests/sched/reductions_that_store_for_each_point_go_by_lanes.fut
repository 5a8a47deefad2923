-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s

-- A map that is summed up and kept: by lanes if its points have checks.
-- CHECK-LABEL: fun checked (
-- CHECK: schedule { lanes {{[0-9]+}}{{( speculate [0-9]+)?}}; scalar } segred
entry checked [n] [m] (xs: [n]i64) (is: [m]i64) : (i64, [m]i64) =
  let ys = map (\i -> if i % 3 == 0 then xs[i] * 7 - 1 else xs[i / 2] * i * i + 5) is
  in (i64.sum ys, ys)

-- With loops inside as well.
-- CHECK-LABEL: fun loops (
-- CHECK: schedule { lanes {{[0-9]+}}; lanes {{[0-9]+}}; scalar } segred
entry loops [m] (is: [m]i64) (k: i64) : (i64, [m]i64) =
  let ys = map (\i -> loop y = i for _j < k do y * y + 1) is
  in (i64.sum ys, ys)

-- A maximum of floats, which LLVM does not take apart, of neighbours.
-- CHECK-LABEL: fun greatest (
-- CHECK: schedule { lanes 32; scalar } segred
entry greatest [m] (xs: [m]f32) (k: f32) : (f32, [m]f32) =
  let ys = map (* k) xs
  in (f32.maximum ys, ys)

-- Not of what lies apart.
-- CHECK-LABEL: fun apart (
-- CHECK: schedule { loops } segred
entry apart [m] (xs: [m][m]f32) (k: f32) : (f32, [m]f32) =
  let ys = map (\row -> k * row[0]) xs
  in (f32.maximum ys, ys)

-- LLVM makes vectors of a sum.
-- CHECK-LABEL: fun sum (
-- CHECK: schedule { loops } segred
entry sum [m] (xs: [m]f32) (k: f32) : (f32, [m]f32) =
  let ys = map (* k) xs
  in (f32.sum ys, ys)
