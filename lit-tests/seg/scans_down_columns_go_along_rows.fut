-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- A scan down columns is a loop over rows; one that reads rows, too, stays a scan.

-- CHECK-LABEL: fun columns (
-- CHECK: = loop (acc_{{[0-9]+}}: [m_{{[0-9]+}}]f32 = {{.*}}) for [[J:i_[0-9]+]]: i64 < n_
-- CHECK: segmap seq ([[I:i_[0-9]+]] < m_
-- CHECK: index a_{{[0-9]+}}{{\[}}[[J]], [[I]]]
-- CHECK: update out_{{[0-9]+}}{{\[}}[[J]], 0 :+ m_
entry columns [n][m] (a: [n][m]f32) : [n][m]f32 =
  transpose (map (scan (+) 0) (transpose a))

-- CHECK-LABEL: fun both (
-- CHECK: segscan seq (
entry both [n] (a: [n][n]f32) : [n][n]f32 =
  map2 (\x y -> scan (+) 0 (map2 (*) x y)) a (transpose a)
