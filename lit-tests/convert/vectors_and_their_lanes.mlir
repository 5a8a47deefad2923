// RUN: futc-mlir-opt --convert=memref-to-pointers %s | FileCheck %s
// CHECK-LABEL: func.func @gather(
// CHECK: [[PS:%[0-9]+]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
// CHECK: llvm.intr.masked.gather {{.*}} {alignment = 4 : i32}
func.func @gather(%a: memref<64xf32>, %at: vector<4xi64>, %mask: vector<4xi1>, %none: vector<4xf32>)
    -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %x = vector.gather %a[%c0] [%at], %mask, %none
    : memref<64xf32>, vector<4xi64>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %x : vector<4xf32>
}
// CHECK-LABEL: func.func @masked(
// CHECK: llvm.intr.masked.load {{.*}} {alignment = 4 : i32}
func.func @masked(%a: memref<64xf32>, %mask: vector<4xi1>, %none: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %x = vector.maskedload %a[%c0], %mask, %none
    : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %x : vector<4xf32>
}
// CHECK-LABEL: func.func @lanes(
// CHECK: llvm.mlir.poison : vector<4xf32>
// CHECK: llvm.insertelement
// CHECK: [[ALL:%[0-9]+]] = llvm.shufflevector {{.*}} [0, 0, 0, 0]
// CHECK: [[MOVED:%[0-9]+]] = llvm.shufflevector [[ALL]], {{.*}} [4, 0, 1, 2]
// CHECK: llvm.extractelement [[MOVED]]
func.func @lanes(%x: f32, %y: vector<4xf32>) -> f32 {
  %all = vector.broadcast %x : f32 to vector<4xf32>
  %moved = vector.shuffle %all, %y [4, 0, 1, 2] : vector<4xf32>, vector<4xf32>
  %last = vector.extract %moved[3] : f32 from vector<4xf32>
  return %last : f32
}
// CHECK-LABEL: func.func @questions(
// CHECK: llvm.call_intrinsic "llvm.vector.reduce.or"
// CHECK: llvm.call_intrinsic "llvm.vector.reduce.and"
func.func @questions(%mask: vector<4xi1>) -> (i1, i1) {
  %any = vector.reduction <or>, %mask : vector<4xi1> into i1
  %all = vector.reduction <and>, %mask : vector<4xi1> into i1
  return %any, %all : i1, i1
}
// Lanes of a mask are put side by side, and all of the vector is stored, where there is room.
// CHECK-LABEL: func.func @compressed(
// CHECK: llvm.store {{.*}} : vector<8xi16>, !llvm.ptr
func.func @compressed(%a: memref<64xi16>, %mask: vector<8xi1>, %x: vector<8xi16>) {
  %c0 = arith.constant 0 : index
  vector.compressstore %a[%c0], %mask, %x {futc.room} : memref<64xi16>, vector<8xi1>, vector<8xi16>
  return
}
