-- RUN: futc --target=multicore --emit=mlir %s | FileCheck %s
-- A task makes integers again of what the host makes them of, so that LLVM knows that the divisor is a power of two, and one size is another one and 1.
-- CHECK-LABEL: func.func {{.*}}@task_0_body
-- CHECK: arith.constant 1 : i64
-- CHECK: arith.shli
-- CHECK: arith.remsi
entry main [n] (s: i64) (xs: [n]f32) : [n]f32 =
  let ns = 1 << s
  in tabulate n (\i -> f32.cos xs[i] * f32.i64 (i % ns))
