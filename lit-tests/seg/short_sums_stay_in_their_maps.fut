-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s

-- Sums of what is computed stay inside of the map, whose points then go by lanes.
-- CHECK-LABEL: fun computed
-- CHECK: segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}})
-- CHECK: segred seq (i_{{[0-9]+}} < m_{{[0-9]+}})
entry computed (n: i64) (m: i64) : [n]i64 =
  map (\i -> i64.sum (map (\j -> (i ^ j) * j) (iota m))) (iota n)

-- Sums of rows are one operation.
-- CHECK-LABEL: fun rows
-- CHECK-NOT: segmap
-- CHECK: segred seq (i_{{[0-9]+}} < n_{{[0-9]+}}, i_{{[0-9]+}} < m_{{[0-9]+}})
entry rows [n] [m] (xss: [n][m]i64) : [n]i64 = map i64.sum xss
