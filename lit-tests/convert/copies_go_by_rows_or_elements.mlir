// RUN: futc-mlir-opt --convert=linalg-to-loops %s | FileCheck %s
// CHECK-LABEL: func.func @elements(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: [[X:%[0-9]+]] = memref.load %{{.*}} : memref<4x8xf32>
// CHECK: memref.store [[X]], %{{.*}} : memref<4x8xf32, strided<[16, 1]>>
func.func @elements(%from: memref<4x8xf32>, %to: memref<4x8xf32, strided<[16, 1]>>) {
  linalg.copy ins(%from : memref<4x8xf32>) outs(%to : memref<4x8xf32, strided<[16, 1]>>)
  return
}
// CHECK-LABEL: func.func @rows(
// CHECK: scf.for
// CHECK: [[TO:%[a-z0-9_]+]] = memref.subview %arg1
// CHECK: [[FROM:%[a-z0-9_]+]] = memref.subview %arg0
// CHECK: memref.copy [[FROM]], [[TO]] {futc.dense}
func.func @rows(%from: memref<4x8xf32>, %to: memref<4x8xf32, strided<[16, 1]>>) {
  linalg.copy {futc.runs = 1 : i64} ins(%from : memref<4x8xf32>) outs(%to : memref<4x8xf32, strided<[16, 1]>>)
  return
}
// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: memref.copy %arg0, %arg1 {futc.dense}
func.func @whole(%from: memref<4x8xf32>, %to: memref<4x8xf32>) {
  linalg.copy {futc.runs = 0 : i64} ins(%from : memref<4x8xf32>) outs(%to : memref<4x8xf32>)
  return
}
