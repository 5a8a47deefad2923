-- REQUIRES: x86
-- What is accumulated from a number by minima is a number, so that an instruction of x86 is enough, in blocks of partial results
-- on the stack and of the elements of a vector, too.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=llvm | FileCheck %s --check-prefixes=CHECK,V4
-- RUN: futc -w --target=seq --target-cpu=x86-64-v2 %s --emit=llvm | FileCheck %s --check-prefixes=CHECK,V2
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

-- Elements from memory may be anything: of vectors that are selected from by masks, it is asked of what is not accumulated.
-- CHECK-LABEL: define internal void @futc_entry_either
-- V2: llvm.minnum
-- V4: [[LESS:%.*]] = fcmp olt <{{8|16}} x float> [[X:%.*]], [[Y:%.*]]
-- V4-NEXT: [[MIN:%.*]] = select <{{8|16}} x i1> [[LESS]], <{{8|16}} x float> [[X]], <{{8|16}} x float> [[Y]]
-- V4-NEXT: [[NUMBER:%.*]] = fcmp ord <{{8|16}} x float> [[Y]], [[Y]]
-- V4-NEXT: select <{{8|16}} x i1> [[NUMBER]], <{{8|16}} x float> [[MIN]], <{{8|16}} x float> [[X]]
-- V4-NOT: call {{.*}}llvm.minnum.v
-- V4: ret void
-- ASM-LABEL: futc_entry_either:
-- ASM: vcmpordps {{.*}}, [[MASK:%k[0-9]]]
-- ASM: vminps {{.*}}[[MASK]]
entry either (xs: []f32) (ys: []f32) : []f32 = map2 f32.min xs ys
