// RUN: split-file %s %t
// RUN: not futc-mlir-opt --convert=memref-to-pointers %t/copy.mlir 2>&1 | FileCheck %t/copy.mlir
// RUN: not futc-mlir-opt --convert=linalg-to-loops %t/generic.mlir 2>&1 | FileCheck %t/generic.mlir
// RUN: not futc-mlir-opt --convert=linalg-to-loops %t/factors.mlir 2>&1 | FileCheck %t/factors.mlir
// RUN: not futc-mlir-opt --convert=memref-to-pointers %t/room.mlir 2>&1 | FileCheck %t/room.mlir
//--- room.mlir
// Whole vectors may not be stored.
// CHECK: a vector.compressstore without room for whole vectors
func.func @room(%a: memref<64xf32>, %mask: vector<8xi1>, %x: vector<8xf32>) {
  %c0 = arith.constant 0 : index
  vector.compressstore %a[%c0], %mask, %x : memref<64xf32>, vector<8xi1>, vector<8xf32>
  return
}
//--- copy.mlir
// Nobody has said that both sides are dense.
// CHECK: a memref.copy of what may not be dense
func.func @copy(%from: memref<4x4xf32>, %to: memref<4x4xf32>) {
  memref.copy %from, %to : memref<4x4xf32> to memref<4x4xf32>
  return
}
//--- generic.mlir
// CHECK: linalg.generic that is no product: its last loop must be reduced
func.func @generic(%from: memref<4xf32>, %to: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%from : memref<4xf32>) outs(%to : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
//--- factors.mlir
// Both vary with rows and columns.
// CHECK: a product whose factors are not one of rows, one of columns
#all = affine_map<(i, j, k) -> (i, j, k)>
#result = affine_map<(i, j, k) -> (i, j)>
func.func @factors(%context: !llvm.ptr, %a: memref<4x4x4xf32>, %c: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [#all, #all, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %a : memref<4x4x4xf32>, memref<4x4x4xf32>) outs(%c : memref<4x4xf32>)
    attrs = {futc.block = array<i64: 4, 4, 4>, futc.dims = array<i64: 0, 1>, futc.lanes = 4 : i64, futc.tile = array<i64: 2, 4>} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}
