-- REQUIRES: x86
-- Where gathers are slow, many elements from anywhere are read one by one, which LLVM is told; a few are left to it.
-- RUN: futc -w --target=seq --target-cpu=znver4 %s --emit=sched | FileCheck %s --check-prefixes=CHECK,SLOW
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s --check-prefixes=CHECK,QUICK

-- CHECK-LABEL: fun turned (
-- SLOW: schedule { scalar } segmap seq
-- QUICK-NOT: { scalar } segmap
-- CHECK-LABEL: fun coloured (
-- CHECK-NOT: { scalar } segmap
-- CHECK: segmap seq
entry turned [n] [b] (bones: [n]u8) (tables: [b][12]f32) (points: [n][3]f32) : [n][3]f32 =
  let turn bone p =
    let m = tables[i64.u8 bone % b]
    let row k = m[k] * p[0] + m[k + 1] * p[1] + m[k + 2] * p[2] + m[k + 3]
    in [row 0, row 4, row 8]
  in map2 turn bones points

entry coloured [n] [b] (is: [n]i64) (colours: [b]f32) : [n]f32 = map (\i -> 2 * colours[i % b]) is
