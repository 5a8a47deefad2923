-- REQUIRES: x86
-- RUN: futc -w --target=multicore --target-cpu=x86-64-v4 %s --emit=asm | FileCheck %s
-- The sums wait while functions are called, each in one line of the cache.
-- CHECK-LABEL: task_0_body:
-- CHECK: andq ${{-32|-64}}, %rsp
-- CHECK-NOT: vmovups {{.*}}(%rsp)
-- CHECK: retq
entry waves [n][k] (ks: [k]f32) (xs: [n]f32) =
  map (\x -> loop s = 0 for q in ks do s + f32.cos (q * x)) xs
