-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
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

-- Bits of the index above those that count in a block come from where it begins; so does the half of
-- the multiple that it is in.
-- CHECK-LABEL: fun partners (
-- CHECK: [[LOW:t_[0-9]+]]: i64 = and.i64({{.*}}, {{t_[0-9]+}})
-- CHECK: segmap seq ([[B:block_[0-9]+]] <
-- CHECK: [[S:t_[0-9]+]]: i64 = mul.i64([[B]], [[LOW]])
-- CHECK: [[C:t_[0-9]+]]: i64 = and.i64([[S]], {{d_[0-9]+}})
-- CHECK: [[J:t_[0-9]+]]: i64 = xor.i64([[S]], {{d_[0-9]+}})
-- CHECK: eq.i64([[C]], 0)
-- CHECK: segmap seq ([[K:k_[0-9]+]] <
-- CHECK: add.i64([[J]], [[K]])
-- CHECK-NOT: xor
-- CHECK: reshape
entry partners [n] (d: i64) (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> if i & d == 0 then xs[i ^ d] else -xs[i ^ d])

-- The halves of a multiple go together, and the branch is decided for each.
-- CHECK-LABEL: fun halves (
-- CHECK: segmap seq ([[B:block_[0-9]+]] <
-- CHECK: mul.i64([[B]], 2)
-- CHECK: segmap seq ({{k_[0-9]+}} <
-- CHECK-NOT: slt.i64
-- CHECK: add.i32({{xs_[0-9]+}}, 1i32)
-- CHECK: add.i32({{xs_[0-9]+}}, 2i32)
-- CHECK: concat(0, [
-- CHECK: reshape
entry halves [n] (h: i64) (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> xs[i / h] + (if i % (2 * h) < h then 1 else 2))
