// RUN: futc-mlir-opt --convert=linalg-to-loops --target-cpu=x86-64-v3 %s | FileCheck %s

// Two of the same types and sizes that are done alike are calls.
// CHECK-LABEL: func.func @two(
// CHECK-NOT: scf.for
// CHECK: call @[[ALIKE:transposition_[0-9]+]]({{.*}}) : (memref<?xi8>, i64, i64, memref<?xi8>, i64) -> ()
// CHECK-NOT: scf.for
// CHECK: call @[[ALIKE]](
// CHECK-NOT: scf.for
// CHECK: return
func.func @two(%block: memref<?xi8>, %other: memref<?xi8>, %n: i64, %into: memref<?xi8>, %also: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %a = memref.view %block[%c0][%ni] : memref<?xi8> to memref<?x16xf32>
  %b = memref.view %into[%c0][%ni] : memref<?xi8> to memref<16x?xf32>
  %c = memref.view %other[%c0][%ni] : memref<?xi8> to memref<?x16xf32>
  %d = memref.view %also[%c0][%ni] : memref<?xi8> to memref<16x?xf32>
  linalg.transpose ins(%a : memref<?x16xf32>) outs(%b : memref<16x?xf32>) permutation = [1, 0]
    {futc.squares = array<i64: 8, 1>}
  linalg.transpose ins(%c : memref<?x16xf32>) outs(%d : memref<16x?xf32>) permutation = [1, 0]
    {futc.squares = array<i64: 8, 1>}
  return
}

// One of another type stays, and so does one that is done otherwise.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: call
// CHECK: vector.load {{.*}} vector<4xf64>
// CHECK-NOT: call
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: return
func.func @others(%block: memref<?xi8>, %n: i64, %into: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %a = memref.view %block[%c0][%ni] : memref<?xi8> to memref<?x16xf64>
  %b = memref.view %into[%c0][%ni] : memref<?xi8> to memref<16x?xf64>
  %c = memref.view %block[%c0][%ni] : memref<?xi8> to memref<?x16xf32>
  %d = memref.view %into[%c0][%ni] : memref<?xi8> to memref<16x?xf32>
  linalg.transpose ins(%a : memref<?x16xf64>) outs(%b : memref<16x?xf64>) permutation = [1, 0]
    {futc.squares = array<i64: 4, 1>}
  linalg.transpose ins(%c : memref<?x16xf32>) outs(%d : memref<16x?xf32>) permutation = [1, 0]
    {futc.squares = array<i64: 4, 1>}
  return
}

// CHECK: func.func private @[[ALIKE]](
// CHECK: scf.for
// CHECK: vector.load {{.*}} vector<8xf32>
// CHECK: vector.store {{.*}} vector<8xf32>
// CHECK: return
