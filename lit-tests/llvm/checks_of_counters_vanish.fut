-- Indexes that are evidently in bounds cost nothing.
-- RUN: futc -w --target=seq %s --emit=llvm | FileCheck %s
-- CHECK-LABEL: define {{.*}}@futc_entry_main(
-- CHECK-NOT: futc_fail
-- CHECK: ret void
entry main [n] (xs: [n]i32) = loop s = 0 for i < n do if xs[i] > s then xs[i] else s
