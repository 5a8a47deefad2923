-- Transposes, slices and reversals are other strides over the same block; what leaves the entry
-- point is in row-major order.
-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- CHECK: level mem
-- CHECK-LABEL: fun transposed (
-- CHECK-SAME: [[N:n_[0-9]+]]: i64, [[M:m_[0-9]+]]: i64, [[B:xss_mem_[0-9]+]]: mem.host
-- CHECK: @ [[B]] -> {0; ([[M]], 1), ([[N]], [[M]])} = rearrange(
entry transposed [n] [m] (xss: [n][m]f32) = transpose xss
-- CHECK-LABEL: fun sliced (
-- CHECK-SAME: [[B:xs_mem_[0-9]+]]: mem.host
-- CHECK: @ [[B]] -> {2; (3, 1)} = {{.*}}index {{xs_[0-9]+}}[2 :+ 3 * 1]
entry sliced (xs: []i32) = xs[2:5]
-- CHECK-LABEL: fun reversed (
-- CHECK-SAME: [[B:xs_mem_[0-9]+]]: mem.host
-- CHECK: @ [[B]] -> {{[{][^;]*}}; ({{[^,]+}}, -1)} = {{.*}}index
entry reversed [n] (xs: [n]i32) = xs[::-1]
-- CHECK-LABEL: fun column (
-- CHECK-SAME: [[N:n_[0-9]+]]: i64, [[M:m_[0-9]+]]: i64, [[B:xss_mem_[0-9]+]]: mem.host
-- CHECK: @ [[B]] -> {1; ([[N]], [[M]])} = {{.*}}index
entry column [n] [m] (xss: [n][m]f32) = xss[:, 1]
