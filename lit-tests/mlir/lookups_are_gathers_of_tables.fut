-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=znver4 %s --emit=mlir | FileCheck %s

-- Of a parameter it is asked whether it is as large as its type says, before the strips.
-- CHECK-LABEL: func.func {{.*}}@fut_masked
-- CHECK: [[BYTES:%.*]] = vector.load {{.*}} vector<128xi8>
-- CHECK: [[KEPT:%.*]] = arith.andi [[BYTES]], {{.*}} : vector<128xi8>
-- CHECK: [[INDEX:%.*]] = arith.extui [[KEPT]] : vector<128xi8> to vector<128xi64>
-- CHECK: vector.gather {{.*}}[[INDEX]]{{.*}}futc.table = 128
entry masked [n] (table: [128]u8) (xs: [n]u8) : [n]u8 =
  map (\x -> table[i64.u32 (u32.u8 x & 127)]) xs
