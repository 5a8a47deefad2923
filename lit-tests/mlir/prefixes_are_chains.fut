-- RUN: futc --target=multicore %s --emit=mlir | FileCheck %s
-- A task hands over what it comes to, and is given what those before it come to; the operator is a function apart.
-- CHECK-LABEL: func.func private @task_0(
-- CHECK: call @futc_chain_start(
-- CHECK: func.func private @[[OP:task_0_combine]](
-- CHECK: arith.addi
-- CHECK: return
-- CHECK: constant @[[OP]]
-- CHECK: call @futc_parallel_chain(
entry main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
