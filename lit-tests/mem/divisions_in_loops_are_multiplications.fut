-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- The inverse is made once, before all loops.
-- CHECK-LABEL: fun remainders (
-- CHECK: [[M:inverse_[0-9]+]]: i64 = udiv.i64(-1,
-- CHECK: loop
-- CHECK-NOT: umod
-- CHECK: math.umul_hi.i64([[M]],
-- CHECK-NOT: umod
entry remainders [n] (k: u32) (xs: [n]u32) : u32 = loop s = 1 for x in xs do s * (x % k) + 1
