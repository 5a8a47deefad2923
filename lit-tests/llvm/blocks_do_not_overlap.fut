-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- Blocks that a loop exchanges are not compared at run time: what is written is a scope of its own.
-- CHECK-LABEL: define {{.*}}@futc_entry_smooth(
-- CHECK-NOT: vector.memcheck
-- CHECK: load <8 x float>, {{.*}}!noalias
-- CHECK: store <8 x float> {{.*}}!alias.scope
entry smooth [n] (xs: [n]f32) =
  loop xs for _i < 10 do
    tabulate n (\i -> if i == 0 || i == n - 1 then xs[i] else (xs[i - 1] + xs[i] + xs[i + 1]) / 3)
