-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=asm | FileCheck %s
-- REQUIRES: x86
-- CHECK: futc_entry_main:
-- CHECK: vmulps {{.*}}%ymm
-- CHECK: {{vmovups|vmovaps}} %ymm
-- CHECK: futc_program:
entry main [n] (xs: [n]f32) = map (* 3) xs
