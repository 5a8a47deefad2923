-- REQUIRES: x86
-- RUN: futc -g -w %s --emit=obj --target-cpu=x86-64-v3 -o %t.o
-- RUN: llvm-readobj --symbols %t.o | FileCheck %s

-- Functions on vectors are declared with positions and defined later: they must not keep them.
-- CHECK: Name: futc{{.*}}main
entry main [n] (xs: [n]f32) : [n]f32 =
  map (\x -> (loop y = x while y < 100 do f32.exp y + 1) + f32.sin x) xs
