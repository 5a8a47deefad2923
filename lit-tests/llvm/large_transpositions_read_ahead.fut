-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- CHECK-LABEL: define {{.*}}@futc_entry_across(
-- CHECK: call void @llvm.prefetch
-- CHECK: store <8 x float> {{.*}}align 32, {{.*}}!nontemporal
entry across [n] [m] (a: [n][m]f32) : [m][n]f32 = copy (transpose a)
-- What is known to be small is not waited for.
-- CHECK-LABEL: define {{.*}}@futc_entry_small(
-- CHECK-NOT: @llvm.prefetch
-- CHECK: ret void
entry small (a: [100][100]f32) : [100][100]f32 = copy (transpose a)
