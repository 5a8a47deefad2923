-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v4 > %t.mlir
-- RUN: FileCheck %s --check-prefix=WHOLE < %t.mlir
-- RUN: futc-mlir-opt --convert=linalg-to-loops --target-cpu=x86-64-v4 %t.mlir | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v3 | futc-mlir-opt --convert=linalg-to-loops --target-cpu=x86-64-v3 | FileCheck %s --check-prefix=SHORT
-- WHOLE-LABEL: func.func {{.*}}@fut_words
-- WHOLE: linalg.transpose ins({{.*}}) permutation = [1, 0]  {futc.along, futc.panels = array<i64: 1024, 32, 64, 16777216>, futc.squares = array<i64: 16, 1>}

-- Sixteen rows of sixteen lanes change places in four rounds; one row or column is copied as it lies.
-- CHECK-LABEL: func.func {{.*}}@fut_words
-- CHECK: scf.if
-- CHECK: memref.copy
-- CHECK: else
-- CHECK: vector.load {{.*}}, vector<16xf32>
-- CHECK: vector.shuffle {{.*}} [0, 16, 2, 18, 4, 20,
-- CHECK: vector.shuffle {{.*}} [1, 17, 3, 19, 5, 21,
-- CHECK: vector.shuffle {{.*}} [0, 1, 16, 17, 4, 5,
-- CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17,
-- CHECK: vector.store {{.*}}, vector<16xf32>
-- What is left goes four by four, and what is left of that by itself.
-- CHECK: vector.load {{.*}}, vector<4xf32>
-- CHECK: vector.store {{.*}}, vector<4xf32>
-- CHECK: memref.load
-- SHORT-LABEL: func.func {{.*}}@fut_words
-- SHORT: vector.load {{.*}}, vector<8xf32>
-- SHORT: vector.store {{.*}}, vector<8xf32>
entry words [n] [m] (a: [n][m]f32) : [m][n]f32 = copy (transpose a)

-- Bytes go in squares of the same size, four by four of them in lines of the cache.
-- CHECK-LABEL: func.func {{.*}}@fut_bytes
-- CHECK: vector.load {{.*}}, vector<16xi8>
-- CHECK: vector.store {{.*}}, vector<16xi8>
-- CHECK-NOT: vector<4xi8>
entry bytes [n] [m] (a: [n][m]i8) : [m][n]i8 = copy (transpose a)
