-- What passes note about statements has names that a program may write too, to no effect.
-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s

-- CHECK-LABEL: func.func private @fut_sum(
-- CHECK-NOT: fastmath
-- CHECK: arith.addf
-- CHECK-NOT: fastmath
entry sum (x: f64) (y: f64): f64 = #[reassoc] #[keep] (x + y)
