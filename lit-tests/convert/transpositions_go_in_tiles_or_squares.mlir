// RUN: futc-mlir-opt --convert=linalg-to-loops --target-cpu=x86-64-v3 %s | FileCheck %s
// CHECK-LABEL: func.func @tiles(
// CHECK: scf.for
// CHECK-NOT: vector.load
// CHECK: memref.load
// CHECK: memref.store
// CHECK: return
func.func @tiles(%block: memref<?xi8>, %n: i64, %m: i64, %into: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %a = memref.view %block[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %b = memref.view %into[%c0][%mi, %ni] : memref<?xi8> to memref<?x?xf32>
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
  return
}
// One row or column is copied as it lies, large ones go by panels, others by squares.
// CHECK-LABEL: func.func @squares(
// CHECK: memref.alloca() {{.*}} : memref<16x1040xf32>
// CHECK: scf.if
// CHECK: memref.copy
// CHECK: memref.prefetch
// CHECK: vector.store {{.*}}nontemporal = true
// CHECK: vector.load {{.*}} vector<8xf32>
// CHECK: vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK: vector.store {{.*}} vector<8xf32>
func.func @squares(%block: memref<?xi8>, %n: i64, %m: i64, %into: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %a = memref.view %block[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %b = memref.view %into[%c0][%mi, %ni] : memref<?xi8> to memref<?x?xf32>
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
    {futc.vectors, futc.dense}
  return
}
