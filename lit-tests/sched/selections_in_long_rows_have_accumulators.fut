-- The position of each row's greatest element: lanes across short rows, and many accumulators along those of 256 elements and more.
-- RUN: futc -w --target=seq %s --emit=sched | FileCheck %s
-- CHECK: segmap seq
-- CHECK: accumulators 64{{.*}} least 256
entry main [n] [m] (a: [n][m]f32) : [n]i64 =
  map (\r -> (reduce (\(x, i) (y, j) -> if x > y || (x == y && i < j) then (x, i) else (y, j)) (-f32.inf, -1)
                     (zip r (iota m))).1) a
