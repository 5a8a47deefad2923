-- REQUIRES: x86
-- What is accumulated from a number by minima is a number, so that an instruction of x86 is enough, in blocks of partial results
-- on the stack and of the elements of a vector, too.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=llvm | FileCheck %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v2 %s --emit=llvm | FileCheck %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=asm | FileCheck %s --check-prefix=ASM
-- RUN: futc -w --target=wasm %s --emit=llvm | FileCheck %s --check-prefix=OTHER

-- CHECK-LABEL: define internal void @futc_entry_least
-- CHECK: fcmp olt <{{4|16}} x float>
-- CHECK-NOT: llvm.minnum
-- CHECK-NOT: llvm.vector.reduce.fmin
-- CHECK: ret void
-- ASM-LABEL: futc_entry_least:
-- ASM: vminps
-- ASM-NOT: vcmpordps
-- ASM: ret
-- OTHER: llvm.minimum
entry least (xs: []f32) : f32 = reduce f32.min f32.inf xs

-- CHECK-LABEL: define internal void @futc_entry_greatest_of_rows
-- CHECK: fcmp ogt
-- CHECK-NOT: llvm.maxnum
-- CHECK: ret void
entry greatest_of_rows (xs: [][]f64) : []f64 = map (reduce f64.max (-f64.inf)) xs

-- Elements from memory may be anything.
-- CHECK-LABEL: define internal void @futc_entry_either
-- CHECK: llvm.minnum
entry either (xs: []f32) (ys: []f32) : []f32 = map2 f32.min xs ys
