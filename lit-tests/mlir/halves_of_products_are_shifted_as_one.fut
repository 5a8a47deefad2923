-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=asm --target-cpu=znver5 | FileCheck %s --check-prefix=ASM
-- REQUIRES: x86

-- The upper half of a product and the upper bits of the lower half are one word, which needs no mask.
-- CHECK-LABEL: func.func {{.*}}@fut_folded
-- CHECK: llvm.intr.fshl({{.*}}) : (i64, i64, i64) -> i64
-- ASM-LABEL: futc_entry_folded:
-- ASM: mulx
-- ASM-NOT: and
-- ASM: leaq {{.*}},8)
-- ASM: ret
entry folded (a: u64) : u64 =
  let high = u64.mul_hi a 0x123456789abcdef
  let low = a * 0x123456789abcdef
  in (high << 3) | (low >> 61)

-- Not so other shifts.
-- CHECK-LABEL: func.func {{.*}}@fut_turned
-- CHECK-NOT: llvm.intr.fshl
-- CHECK: return
entry turned (a: u64) : u64 = (a << 3) | (a >> 61)

-- CHECK-LABEL: func.func {{.*}}@fut_apart
-- CHECK-NOT: llvm.intr.fshl
-- CHECK: return
entry apart (a: u64) (b: u64) : u64 = (u64.mul_hi a b << 3) | (a >> 60)
