// RUN: futc-mlir-opt --convert=memref-to-pointers %s | FileCheck %s
// The address of a row is computed once.
// CHECK-LABEL: func.func @row(
// CHECK-SAME: [[A:%[a-z0-9]+]]: !llvm.ptr, [[I:%[a-z0-9]+]]: i64
// CHECK: [[AT:%[0-9]+]] = arith.muli [[I]], %c16{{.*}} overflow<nsw> : i64
// CHECK: [[ROW:%[0-9]+]] = llvm.getelementptr [[A]]{{\[}}[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.getelementptr [[ROW]][3]
// CHECK: llvm.load
// CHECK: llvm.getelementptr [[ROW]][4]
// CHECK: "llvm.intr.prefetch"
func.func @row(%a: memref<8x16xf32>, %i: i64) -> f32 {
  %ii = arith.index_cast %i : i64 to index
  %row = memref.subview %a[%ii, 0] [1, 16] [1, 1]
    : memref<8x16xf32> to memref<16xf32, strided<[1], offset: ?>>
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %x = memref.load %row[%c3] : memref<16xf32, strided<[1], offset: ?>>
  memref.prefetch %row[%c4], read, locality<3>, data : memref<16xf32, strided<[1], offset: ?>>
  return %x : f32
}
// A choice between arrays is one between addresses, and between distances that are not the same.
// CHECK-LABEL: func.func @either(
// CHECK: [[P:%[0-9]+]] = arith.select %{{.*}} : !llvm.ptr
// CHECK: [[S:%[0-9]+]] = arith.select %{{.*}} : i64
// CHECK: llvm.getelementptr [[P]]{{\[}}[[S]]]
func.func @either(%c: i1, %block: memref<?xi8>, %n: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ni = arith.index_cast %n : i64 to index
  %first = memref.view %block[%c0][] : memref<?xi8> to memref<f32>
  %here = memref.reinterpret_cast %first to offset: [%ni], sizes: [4, 8], strides: [%ni, 1]
    : memref<f32> to memref<4x8xf32, strided<[?, 1], offset: ?>>
  %room = memref.alloca() {alignment = 8 : i64} : memref<4x8xf32>
  %there = memref.cast %room : memref<4x8xf32> to memref<4x8xf32, strided<[?, 1], offset: ?>>
  %place = arith.select %c, %here, %there : memref<4x8xf32, strided<[?, 1], offset: ?>>
  %x = memref.load %place[%c1, %c0] : memref<4x8xf32, strided<[?, 1], offset: ?>>
  return %x : f32
}
