// RUN: not futc-mlir-opt --convert=memref-to-pointers %s 2>&1 | FileCheck %s
// Nobody has said that both sides are dense.
// CHECK: a memref.copy of what may not be dense
func.func @copy(%from: memref<4x4xf32>, %to: memref<4x4xf32>) {
  memref.copy %from, %to : memref<4x4xf32> to memref<4x4xf32>
  return
}
