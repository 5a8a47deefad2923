-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s

-- CHECK-LABEL: fun gather (
-- CHECK: segmap
-- CHECK: [[LEAST:least_[0-9]+]]: i64 = smax.i64(n_{{[0-9]+}}, 0)
-- CHECK-NEXT: [[INSIDE:t_[0-9]+]]: bool = ult.i64({{[a-z]+_[0-9]+}}, [[LEAST]])
-- CHECK-NEXT: assert([[INSIDE]],
-- CHECK-NOT: slt
entry gather [n] [m] (xs: [n]i32) (is: [m]i64) : [m]i32 = map (\i -> xs[i]) is
