-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s

-- CHECK-LABEL: fun gather (
-- CHECK-SAME: xs_{{[0-9]+}}: {{\[}}[[N:n_[0-9]+]]]i32
-- CHECK: segmap
-- CHECK-NOT: smax
-- CHECK: [[INSIDE:t_[0-9]+]]: bool = ult.i64({{[a-z]+_[0-9]+}}, [[N]])
-- CHECK-NEXT: assert([[INSIDE]],
-- CHECK-NOT: slt
entry gather [n] [m] (xs: [n]i32) (is: [m]i64) : [m]i32 = map (\i -> xs[i]) is
