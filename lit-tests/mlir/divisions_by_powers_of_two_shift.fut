-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s

-- Quotients that are rounded down, and their remainders, whatever the sign; those that are rounded to zero stay divisions.
-- CHECK-LABEL: func.func private @fut_halves(
-- CHECK-NOT: arith.divsi
-- CHECK: arith.shrsi
-- CHECK-NOT: arith.remsi
-- CHECK: arith.andi
-- CHECK: return
entry halves (x: i32) (y: i64) = (x / 2, y % 8)

-- CHECK-LABEL: func.func private @fut_others(
-- CHECK: arith.divsi
-- CHECK: arith.remsi
-- CHECK: arith.divsi
entry others (x: i32) (y: i64) = (i32.(x // 2), y % 6, x / (-4))
