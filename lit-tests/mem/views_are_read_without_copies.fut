-- A reduction over a transposed or reversed array reads through its strides.
-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- CHECK-LABEL: fun columns (
-- CHECK: [[OUT:[a-z_0-9]+]]: mem.host = alloc
-- CHECK-NOT: alloc
-- CHECK-NOT: copy
-- CHECK: in (
entry columns [n] [m] (xss: [n][m]f32) = map f32.sum (transpose xss)
-- CHECK-LABEL: fun backwards (
-- CHECK-NOT: alloc
-- CHECK-NOT: copy
-- CHECK: in
entry backwards [n] (xs: [n]f32) = foldl (\a x -> a * 0.5 + x) 0 (reverse xs)
