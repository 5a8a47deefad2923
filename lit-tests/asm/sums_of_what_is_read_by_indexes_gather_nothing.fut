-- RUN: futc --target=multicore --target-cpu=x86-64-v4 --emit=asm %s | FileCheck %s
-- REQUIRES: x86

-- Eight points of a loop with checks stand in a round. LLVM would read their elements as one vector, which is slower than
-- eight reads.
-- CHECK-LABEL: task_0_body:
-- CHECK-NOT: vpgather
-- CHECK: .size task_0_body
entry main [n] [m] (xs: [n]i32) (is: [m]u16) : i32 =
  loop total = 0 for _ in 0..<100i32 do
    total + i32.sum (map (\i -> xs[i64.u16 i] ^ total) is)
