-- RUN: futc -w --target=wasm %s --emit=asm | FileCheck %s
-- Of one float as of many, without a branch; half of a product by products of halves.
-- CHECK-NOT: {{call.*(fminf|fmax|__multi3)}}
-- CHECK: futc_entry_
-- CHECK-DAG: f32x4.pmin
-- CHECK-DAG: f64x2.pmax
-- CHECK-DAG: i64.mul
-- CHECK-NOT: {{call.*(fminf|fmax|__multi3)}}
-- CHECK: futc_program:
entry least [n] (xs: [n]f32) (ys: [n]f32) = map2 f32.min xs ys
entry greater (x: f64) (y: f64) = f64.max x y
entry upper (x: i64) (y: i64) = i64.mul_hi x y
