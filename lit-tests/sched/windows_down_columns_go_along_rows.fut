-- A reduction of a few points of each column does not keep a map from going along what it reads; nothing is transposed.
-- RUN: futc -w --target=seq %s --emit=sched | FileCheck %s
-- CHECK:     segmap seq (i_{{[0-9]+}} < t_{{[0-9]+}}, i_{{[0-9]+}} < m_{{[0-9]+}})
-- CHECK-NOT: copy(
entry main [n] [m] (a: [n][m]f32) : [][]f32 =
  let k = [1f32, 4, 6, 4, 1]
  in transpose (map (\c -> tabulate (n - 4) (\i -> f32.sum (map2 (*) k c[i:i + 5]))) (transpose a))
