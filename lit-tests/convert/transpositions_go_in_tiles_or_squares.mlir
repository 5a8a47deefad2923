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
    {futc.tiles = 32 : i64}
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
    {futc.along, futc.panels = array<i64: 1024, 32, 64, 16777216>, futc.squares = array<i64: 8, 2>}
  return
}
// Squares alone ask nothing first; two each way are done together.
// CHECK-LABEL: func.func @only_squares(
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.prefetch
// CHECK: arith.constant 2 : i64
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: vector.store {{.*}} vector<4xf32>
func.func @only_squares(%block: memref<?xi8>, %n: i64, %m: i64, %into: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %a = memref.view %block[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %b = memref.view %into[%c0][%mi, %ni] : memref<?xi8> to memref<?x?xf32>
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
    {futc.squares = array<i64: 4, 2>}
  return
}
// Without a schedule, it is a loop for each dimension.
// CHECK-LABEL: func.func @loops(
// CHECK-COUNT-2: scf.for
// CHECK-NEXT: arith.index_cast
// CHECK-NOT: scf.for
// CHECK: memref.load
// CHECK: memref.store
func.func @loops(%block: memref<?xi8>, %n: i64, %m: i64, %into: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %a = memref.view %block[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %b = memref.view %into[%c0][%mi, %ni] : memref<?xi8> to memref<?x?xf32>
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
  return
}
