-- Rows that recurrences go along are transposed for strips, whether certain elements are read besides or not, and without arrays of points' own.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=sched | FileCheck %s

-- CHECK-LABEL: fun border
-- CHECK: #[strip] schedule { lanes
-- CHECK: index u_{{[0-9]+}}[0, lane_
-- CHECK: index u_{{[0-9]+}}[i_{{[0-9]+}}, lane_
entry border [m] [n] (u: [m][n]f32) : [m][n]f32 =
  map (\d ->
    loop x = replicate n 0 for i < n do
      if i == 0 then x with [0] = d[0] * 2 else x with [i] = d[i] - 0.3 * x[i - 1] * x[i - 1])
    u

-- CHECK-LABEL: fun means
-- CHECK: #[strip] schedule { lanes
entry means [m] [n] (u: [m][n]f32) : [m][n]f32 =
  map (\d ->
    (loop (x, s) = (replicate n 0, 0) for i < n do
      let s = 0.3 * d[i] + 0.7 * s
      in (x with [i] = s, s)).0)
    u

-- All rows of a strip in the third cache.
-- CHECK-LABEL: fun totals
-- CHECK: sle.i64({{.*}}, 16777216)
-- CHECK: #[strip] schedule { lanes
entry totals [m] [n] (u: [m][n]f32) : [m]f32 =
  map (\d -> loop s = 0 for i < n do d[i] + 0.9 * s) u
