-- RUN: futc -w --target=multicore %s --emit=mem | FileCheck %s
-- Also of points that allocate arrays of their own still when they are shared out: tasks of fewer would go point by point.
-- CHECK-LABEL: fun main (
-- CHECK: and.i64({{.*}}, -64)
-- CHECK: segmap tasks
entry main [n] (xs: [n]f32) : [n]f32 =
  let step (x: f32) (y: [20]f32) =
    tabulate 20 (\i -> y[i] - x * y[if i == 19 then 0 else i + 1])
  let one x = f32.sum (loop y = replicate 20 x for _i < 500 do step x (map (* 0.5) y))
  in map one xs
