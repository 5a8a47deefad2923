-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- A check that is the same at every point is made before them all, if there are any.
-- CHECK-LABEL: fun columns (
-- CHECK: [[E:empty_[0-9]+]]: bool = eq.i64([[P:p_[0-9]+]], 0)
-- CHECK: [[OK:ok_[0-9]+]]: bool = logor({{.*}}, [[E]])
-- CHECK: assert size([[OK]],
-- CHECK: segred seq ({{i_[0-9]+}} < [[P]], {{i_[0-9]+}} < {{n_[0-9]+}})
-- CHECK-NOT: assert
entry columns [n] [m] [p] (a: [n][p]f32) (x: [m]f32) : [p]f32 =
  map (\c -> f32.sum (map2 (*) c x[:n])) (transpose a)
