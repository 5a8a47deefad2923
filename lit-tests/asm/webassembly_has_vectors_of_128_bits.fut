-- RUN: futc -w --target=wasm %s --emit=asm | FileCheck %s
-- CHECK: futc_entry_main:
-- CHECK: f32x4.mul
-- CHECK: v128.store
-- CHECK: futc_program:
entry main [n] (xs: [n]f32) = map (* 3) xs
