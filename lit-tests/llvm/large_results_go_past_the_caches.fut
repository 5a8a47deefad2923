-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- CHECK-LABEL: define {{.*}}@futc_entry_next(
-- CHECK: store <8 x float> {{.*}}align 32, {{.*}}!nontemporal
entry next [n] (xs: [n]f32) = map (+ 1) xs
-- CHECK-LABEL: define {{.*}}@futc_entry_sums(
-- CHECK: shufflevector <8 x float>
-- CHECK: store <8 x float> {{.*}}align 32, {{.*}}!nontemporal
entry sums [n] (xs: [n]f32) = scan (+) 0 xs
-- A result that is known to be small is better off in the caches.
-- CHECK-LABEL: define {{.*}}@futc_entry_small(
-- CHECK-NOT: !nontemporal
-- CHECK: ret void
entry small (xs: [1000]f32) = map (+ 1) xs
