-- RUN: futc -w %s --emit=mem | FileCheck %s
-- In a block, the quotient is the block's number, and the remainder counts.
-- CHECK-LABEL: fun grid (
-- CHECK: segmap seq ([[B:block_[0-9]+]] < {{t_[0-9]+}})
-- CHECK: segmap seq ([[K:k_[0-9]+]] < [[M:m_[0-9]+]])
-- CHECK-NOT: div
-- CHECK: index {{rows_[0-9]+}}[[[B]]]
-- CHECK: index {{columns_[0-9]+}}[[[K]]]
-- CHECK: reshape
entry grid [n] [m] (rows: [n]f32) (columns: [m]f32) : [n * m]f32 =
  tabulate (n * m) (\i -> rows[i / m] * columns[i % m])
