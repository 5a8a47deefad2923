-- Lanes that move in beside zeros: LLVM would expand vectors for it, which takes Zen 4 long.
-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=znver4 %s --emit=asm | FileCheck %s

-- CHECK-LABEL: futc_entry_main:
-- CHECK-NOT: vexpandp
-- CHECK: vperm{{.*}}%zmm
-- CHECK-NOT: vexpandp
-- CHECK: futc_program:
entry main [n] (xs: [n]f64) = scan (+) 0 xs
