-- Neither zero nor the least number by -1 reaches the machine's division.
-- RUN: futc -w --target=seq %s --emit=llvm | FileCheck %s
-- CHECK-LABEL: define {{.*}}@futc_entry_divide(
-- CHECK: call void @futc_fail(
-- CHECK: [[SAFE:%[a-z0-9._]+]] = select i1 {{.*}}, i32 1, i32
-- CHECK: {{div|rem}} i32 %{{[a-z0-9._]+}}, [[SAFE]]
entry divide (x: i32) (y: i32) = x / y
