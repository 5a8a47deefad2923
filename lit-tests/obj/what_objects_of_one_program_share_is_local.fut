-- A program that is compiled in units is one object here, which shows what every other object of a program shows.
--
-- RUN: futc -w --split-from=1 %s --emit=obj -o %t.o
-- RUN: llvm-nm --extern-only --defined-only %t.o | FileCheck %s
-- CHECK-NOT: {{fut_|entry|init|fini}}
-- CHECK: futc_program
-- CHECK-NOT: {{fut_|entry|init|fini}}

entry sum (xs: []i32) : i32 = i32.sum xs
entry scale [n] (xs: [n]f64) (s: f64) : [n]f64 = map (* s) xs
