-- The runtime is called for loops that are worth it; what is recursive asks for room on the stack, which ends in the middle
-- of memory. With one thread there is neither.
-- RUN: futc -w --target=wasm-multicore %s --emit=asm | FileCheck %s
-- RUN: futc -w --target=wasm %s --emit=asm | FileCheck %s --check-prefix=SINGLE
-- CHECK-LABEL: fut_f:
-- CHECK: call futc_check_stack
-- CHECK: call fut_f
-- CHECK-LABEL: futc_entry_main:
-- CHECK-NOT: futc_check_stack
-- CHECK: call futc_parallel_for
-- CHECK: .ascii{{.*}}"atomics"
-- SINGLE-NOT: futc_check_stack
-- SINGLE-NOT: futc_parallel_for
-- SINGLE-NOT: atomics
def f (n: i64) : i64 = if n <= 0 then 1 else (f (n - 1) * 3) ^ n
entry main [n] (xs: [n]i64) = map (\x -> f (x % 10)) xs
