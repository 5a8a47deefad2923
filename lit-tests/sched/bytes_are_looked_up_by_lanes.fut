-- Bytes of tables of 256 are looked up by lanes where a processor permutes bytes, not past the caches; where it does not, LLVM's loops stay.
-- RUN: futc --target=seq --target-cpu=znver4 --emit=sched %s | FileCheck %s
-- RUN: futc --target=seq --target-cpu=x86-64-v4 --emit=sched %s | FileCheck %s --check-prefix=NONE
-- RUN: futc --target=seq --target-cpu=znver4 --explain-schedule %s | FileCheck %s --check-prefix=WHY
-- RUN: futc --target=seq --target-cpu=x86-64-v4 --explain-schedule %s | FileCheck %s --check-prefix=WHYNOT

-- CHECK-LABEL: fun curve (
-- CHECK: segmap seq (i_{{[0-9]+}} < 256)
-- CHECK: schedule { lanes 128; lanes 64; scalar } segmap
-- NONE-LABEL: fun curve (
-- NONE: segmap seq (i_{{[0-9]+}} < 256)
-- NONE: schedule { stream chunk 128 from 16777216; loops } segmap
-- WHY: bytes are looked up in tables
-- WHYNOT: this processor looks bytes up in tables one by one
entry curve [n] (seed: u8) (xs: [n]u8) : [n]u8 =
  let table = tabulate 256 (\i -> seed ^ u8.i64 i)
  in map (\x -> table[i64.u8 x]) xs

-- Of tables of other sizes, and of wider elements, LLVM makes what it can.
-- CHECK-LABEL: fun others (
-- CHECK-NOT: { lanes
-- CHECK: in (
entry others [n] [m] (seed: u32) (table: [m]u8) (xs: [n]u8) : [n]u32 =
  let wide = tabulate 256 (\i -> seed ^ u32.i64 i)
  in map (\x -> u32.u8 (#[unsafe] table[i64.u8 x]) + wide[i64.u8 x]) xs
