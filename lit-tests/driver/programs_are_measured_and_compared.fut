-- Random data is kept beside the program.
-- RUN: mkdir -p %t && cp %s %t/prog.fut
-- RUN: not futc bench %t/prog.fut --json %t.old -r 3 --no-convergence-phase -v -e sum -e update -e wrong | FileCheck %s
-- RUN: futc bench %t/prog.fut --json %t.new -r 3 --no-convergence-phase -e sum | FileCheck %s --check-prefix=ONE
-- RUN: futc benchcmp %t.old %t.new | FileCheck %s --check-prefix=COMPARE
-- RUN: not futc bench %t/prog.fut -e wrong | FileCheck %s --check-prefix=WRONG
-- RUN: not futc bench %t/prog.fut -e slow --timeout 0.3 | FileCheck %s --check-prefix=LATE
-- RUN: not futc benchcmp %t/prog.fut %t.new 2>&1 | FileCheck %s --check-prefix=INPUT

-- ==
-- entry: sum
-- random input { [200000]f32 }
entry sum (xs: []f32) : f32 = reduce (+) 0 xs

-- Its argument is consumed, so that every run gets a new one.
-- ==
-- entry: update
-- input { [1i32, 2i32] } output { [4i32, 2i32] }
entry update (xs: *[]i32) : []i32 = xs with [0] = 4

-- ==
-- entry: wrong
-- nobench input { 0 } output { 0 }
-- input { 1 } output { 1 }
entry wrong (x: i32) : i32 = x + 1

-- ==
-- entry: slow
-- input { 1u32 }
entry slow (x: u32) : u32 = (loop (x, go) = (x, true) while go do (x * 48271, x != 0)).0

-- CHECK: sum:
-- CHECK-NEXT: #0 {{.*}} μs (95 % CI: [{{.*}}]; median {{.*}} runs); host: {{[0-9]+}} bytes
-- CHECK-NEXT: update:
-- CHECK-NEXT: #0 {{.*}} runs)
-- CHECK: wrong:

-- ONE-NOT: update:
-- COMPARE: {{.*}}:sum
-- COMPARE-NEXT: #0: {{[0-9.]+}}x  ({{[0-9]+}} μs to {{[0-9]+}} μs)
-- COMPARE: {{.*}}:update: only in the old file
-- WRONG: wrong:
-- WRONG-NEXT: #1  failed: Value #0, index []: expected 1i32, got 2i32
-- LATE: #0  failed: out of time after 0.3 s
-- INPUT: futc: {{.*}}: invalid number
