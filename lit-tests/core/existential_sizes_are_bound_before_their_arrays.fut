-- RUN: futc -w %s --emit=core | FileCheck %s
-- CHECK-LABEL: fun branches (
-- CHECK-SAME: : ([[D:[a-z]+_[0-9]+]]: i64, {{[a-z_]+[0-9]+}}: {{\[}}[[D]]]i32)
-- CHECK: let ([[K:[a-z]+_[0-9]+]]: i64, [[A:[a-z_]+[0-9]+]]: {{\[}}[[K]]]i32) = if
-- CHECK: in ([[K]], [[A]])
entry branches [n] [m] (b: bool) (xs: [n]i32) (ys: [m]i32) = if b then copy xs else ys ++ ys
-- CHECK-LABEL: fun loops (
-- CHECK: = loop ([[M:[a-z]+_[0-9]+]]: i64 = {{.*}}, [[B:[a-z]+_[0-9]+]]: {{\[}}[[M]]]i32 = {{.*}}) for
entry loops (n: i32) (xs: []i32) = loop xs for _i < n do xs ++ xs
