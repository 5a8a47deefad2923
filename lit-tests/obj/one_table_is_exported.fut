-- The runtime finds the program by its table; everything else is private, and what it needs is
-- the runtime's.
-- RUN: futc -w %s --emit=obj -o %t.o
-- RUN: llvm-nm --extern-only --defined-only %t.o | FileCheck %s --check-prefix=DEFINED
-- RUN: llvm-nm --undefined-only %t.o | FileCheck %s --check-prefix=WANTED
-- DEFINED-NOT: fut_
-- DEFINED: futc_program
-- WANTED-NOT: U {{[^f]}}
-- WANTED: U futc_alloc
entry main [n] (xs: [n]f32) = map (* 2) xs
