-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s
-- CHECK-LABEL: func.func private @fut_either(
-- CHECK-NOT: scf.if
-- CHECK: arith.select %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : i32
-- CHECK: return
entry either (b: bool) (x: i32) (y: i32) = if b then x else y
-- What only one branch computes stays in it.
-- CHECK-LABEL: func.func private @fut_quotient(
-- CHECK: scf.if
-- CHECK: arith.divui
entry quotient (b: bool) (x: u32) = if b then 1000 / x else x
