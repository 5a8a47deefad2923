-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir --exact-math | FileCheck %s --check-prefix=EXACT

-- CHECK-LABEL: func.func {{.*}}@fut_cube
-- CHECK: [[SQUARE:%[0-9a-z_]+]] = arith.mulf [[X:%[0-9a-z_]+]], [[X]] : f64
-- CHECK-NEXT: arith.mulf [[SQUARE]], [[X]] : f64
-- CHECK-NOT: math.powf
-- Two roundings are no more exact than the C library.
-- EXACT-LABEL: func.func {{.*}}@fut_cube
-- EXACT: math.powf
entry cube (x: f64) : f64 = x ** 3

-- One is.
-- CHECK-LABEL: func.func {{.*}}@fut_square
-- CHECK-NOT: math.powf
-- CHECK: arith.mulf
-- EXACT-LABEL: func.func {{.*}}@fut_square
-- EXACT-NOT: math.powf
-- EXACT: arith.mulf
entry square (x: f32) : f32 = x ** 2

-- CHECK-LABEL: func.func {{.*}}@fut_fifth
-- CHECK: math.powf
entry fifth (x: f32) : f32 = x ** 5

-- CHECK-LABEL: func.func {{.*}}@fut_half
-- CHECK: math.powf
entry half (x: f64) : f64 = x ** 2.5
