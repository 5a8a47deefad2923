// RUN: futc-mlir-opt --convert=linalg-to-loops %s | FileCheck %s
// CHECK-LABEL: func.func @rows(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x8xf32>
func.func @rows(%x: f32, %a: memref<4x8xf32>) {
  linalg.fill ins(%x : f32) outs(%a : memref<4x8xf32>)
  return
}
// What is dense is one row.
// CHECK-LABEL: func.func @dense(
// CHECK: [[ALL:%[0-9]+]] = arith.muli
// CHECK: scf.for %{{.*}} = %{{.*}} to [[ALL]]
// CHECK-NOT: scf.for
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{[a-z0-9_]+}}] : memref<?xf32>
func.func @dense(%x: f32, %block: memref<?xi8>, %n: i64, %m: i64) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %a = memref.view %block[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  linalg.fill {futc.dense} ins(%x : f32) outs(%a : memref<?x?xf32>)
  return
}
