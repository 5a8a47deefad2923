-- REQUIRES: x86
-- Copies to a few bytes further in a page are not left to the C library, which is slow at them on some processors.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=asm | FileCheck %s

-- CHECK-LABEL: futc_entry_main:
-- CHECK: futc.copy
-- CHECK-LABEL: futc.copy:
-- CHECK: memcpy@PLT
-- CHECK: jmp copy_by_vectors
-- CHECK-LABEL: copy_by_vectors:
-- CHECK: vmovups {{.*}}%ymm
entry main (x: f32) (xs: []f32) : []f32 = [x] ++ xs
