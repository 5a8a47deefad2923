// RUN: futc-mlir-opt --convert=memref-to-pointers %s | FileCheck %s
// CHECK: llvm.mlir.global internal unnamed_addr constant @table("\01\00\02\00") {{.*}}alignment = 64
memref.global "private" constant @table : memref<2xi16> = dense<[1, 2]> {alignment = 64}
// Room on the stack is counted in words.
// CHECK-LABEL: func.func @room(
// CHECK: [[N:%[a-z0-9_]+]] = arith.constant 3 : i64
// CHECK: llvm.alloca [[N]] x i64 {alignment = 8 : i64}
// CHECK: llvm.mlir.addressof @table
func.func @room() -> i16 {
  %room = memref.alloca() {alignment = 8 : i64} : memref<5xf32>
  %table = memref.get_global @table : memref<2xi16>
  %c0 = arith.constant 0 : index
  %x = memref.load %table[%c0] : memref<2xi16>
  return %x : i16
}
// The address is that of the pointer.
// CHECK-LABEL: func.func @address(
// CHECK-SAME: [[P:%[a-z0-9]+]]: !llvm.ptr
// CHECK-NEXT: [[X:%[0-9]+]] = llvm.ptrtoint [[P]] : !llvm.ptr to i64
// CHECK-NEXT: return [[X]], [[P]] : i64, !llvm.ptr
func.func @address(%a: memref<4xf32>) -> (i64, !llvm.ptr) {
  %address = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %number = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
  return %number, %pointer : i64, !llvm.ptr
}
// What is dense on both sides is copied at once.
// CHECK-LABEL: func.func @copy(
// CHECK: [[BYTES:%[a-z0-9_]+]] = arith.constant 64 : i64
// CHECK: "llvm.intr.memcpy"(%arg1, %arg0, [[BYTES]])
func.func @copy(%from: memref<4x4xf32>, %to: memref<4x4xf32>) {
  memref.copy %from, %to {futc.dense} : memref<4x4xf32> to memref<4x4xf32>
  return
}
