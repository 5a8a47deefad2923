-- RUN: futc --emit=sched --target=seq %s | FileCheck %s
-- RUN: futc --emit=mlir --target=seq %s | FileCheck %s --check-prefix=MLIR

-- No processor has scatters of one or two bytes: vectors would be taken apart. What lies outside goes to a word of the runtime's,
-- not of the stack, where LLVM would see that nobody reads it, and branch instead.
-- CHECK-LABEL: fun bytes (
-- CHECK: schedule dummy { scalar } segmap seq
-- MLIR-LABEL: func.func {{.*}}bytes
-- MLIR: call @futc_dummy_slot
entry bytes [n] [m] (to: *[n]u8) (is: [m]i64) (vs: [m]u8) : *[n]u8 = scatter to is vs

-- CHECK-LABEL: fun words (
-- CHECK: schedule dummy { loops } segmap seq
entry words [n] [m] (to: *[n]i32) (is: [m]i64) (vs: [m]i32) : *[n]i32 = scatter to is vs
