// RUN: futc-mlir-opt --convert=memref-to-pointers %s | FileCheck %s
// CHECK: func.func private @futc_alloc(!llvm.ptr, i64, i32) -> !llvm.ptr
func.func private @futc_alloc(!llvm.ptr, i64, i32) -> memref<?xi8>
// Loops carry pointers, and functions return them.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME: !llvm.ptr, %{{.*}}: i64, [[B:%[a-z0-9]+]]: !llvm.ptr) -> !llvm.ptr
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = [[B]]) -> (!llvm.ptr)
// CHECK: [[NEW:%[0-9]+]] = func.call @futc_alloc({{.*}}) : (!llvm.ptr, i64, i32) -> !llvm.ptr
// CHECK: scf.yield [[NEW]] : !llvm.ptr
func.func @carried(%ctx: !llvm.ptr, %n: i64, %b: memref<?xi8>) -> memref<?xi8> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %host = arith.constant 0 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %b) -> (memref<?xi8>) : i64 {
    %new = func.call @futc_alloc(%ctx, %n, %host) : (!llvm.ptr, i64, i32) -> memref<?xi8>
    scf.yield %new : memref<?xi8>
  }
  return %r : memref<?xi8>
}
// The words that the runtime lays out hold pointers and numbers.
// CHECK-LABEL: func.func @slots(
// CHECK: [[P:%[0-9]+]] = llvm.getelementptr %{{.*}}[2] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: [[B:%[0-9]+]] = llvm.load [[P]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.store [[B]], %{{.*}} {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
func.func @slots(%in: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %slot = memref.view %in[%c16][] : memref<?xi8> to memref<memref<?xi8>>
  %block = memref.load %slot[] : memref<memref<?xi8>>
  %first = memref.view %in[%c0][] : memref<?xi8> to memref<memref<?xi8>>
  memref.store %block, %first[] : memref<memref<?xi8>>
  return
}
