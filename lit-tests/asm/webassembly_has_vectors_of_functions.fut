-- RUN: futc -w --target=wasm %s --emit=asm | FileCheck %s
-- RUN: futc -w --target=wasm %s --emit=asm --exact-math | FileCheck %s --check-prefix=EXACT
-- CHECK: futc_entry_
-- CHECK: f32x4.mul
-- CHECK: futc_program:
-- EXACT-NOT: f32x4.mul
-- EXACT: {{call.*expf}}
-- EXACT-NOT: f32x4.mul
entry powers [n] (xs: [n]f32) = map f32.exp xs
