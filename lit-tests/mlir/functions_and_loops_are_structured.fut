-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir | mlir-opt --verify-each > %t
-- CHECK-LABEL: func.func private @fut_axpy(
-- CHECK: @futc_alloc
-- CHECK: scf.for 
-- CHECK: memref.load {{.*}} : memref<?xf32>
-- CHECK: arith.mulf
-- CHECK: arith.addf
-- CHECK: memref.store
entry axpy [n] (a: f32) (xs: [n]f32) (ys: [n]f32) = map2 (\x y -> a * x + y) xs ys
-- Operators of reductions may be regrouped, and no others.
-- CHECK-LABEL: func.func private @fut_dot(
-- CHECK: scf.for {{.*}} iter_args
-- CHECK: arith.mulf %{{[0-9]+}}, %{{[0-9]+}} : f32
-- CHECK: arith.addf {{.*}} fastmath<reassoc>
-- CHECK: scf.yield
entry dot [n] (xs: [n]f32) (ys: [n]f32) = f32.sum (map2 (*) xs ys)
-- CHECK-LABEL: func.func private @fut_collatz(
-- CHECK: scf.while
-- CHECK: scf.if
entry collatz (x: i64) = loop x while x > 1 do if x % 2 == 0 then x / 2 else 3 * x + 1
