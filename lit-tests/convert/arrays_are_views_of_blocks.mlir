// RUN: futc-mlir-opt --convert=memref-to-pointers %s | FileCheck %s
// An access is offset + index · stride, and nothing is left of what made the array.
// CHECK-LABEL: func.func @element(
// CHECK-SAME: [[BLOCK:%[a-z0-9]+]]: !llvm.ptr, [[I:%[a-z0-9]+]]: i64, [[S:%[a-z0-9]+]]: i64) -> f32
// CHECK-NEXT: [[D:%[0-9]+]] = arith.muli [[I]], [[S]] overflow<nsw> : i64
// CHECK-NEXT: [[THREE:%[a-z0-9_]+]] = arith.constant 3 : i64
// CHECK-NEXT: [[AT:%[0-9]+]] = arith.addi [[THREE]], [[D]] overflow<nsw> : i64
// CHECK-NEXT: [[P:%[0-9]+]] = llvm.getelementptr [[BLOCK]]{{\[}}[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: [[X:%[0-9]+]] = llvm.load [[P]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: return [[X]]
func.func @element(%block: memref<?xi8>, %i: i64, %s: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %first = memref.view %block[%c0][] : memref<?xi8> to memref<f32>
  %ii = arith.index_cast %i : i64 to index
  %si = arith.index_cast %s : i64 to index
  %a = memref.reinterpret_cast %first to offset: [3], sizes: [10], strides: [%si]
    : memref<f32> to memref<10xf32, strided<[?], offset: 3>>
  %x = memref.load %a[%ii] : memref<10xf32, strided<[?], offset: 3>>
  return %x : f32
}
// The strides of a dense array are its sizes.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME: {{.*}}: !llvm.ptr, [[N:%[a-z0-9]+]]: i64, [[M:%[a-z0-9]+]]: i64, [[I:%[a-z0-9]+]]: i64)
// CHECK-NEXT: arith.muli [[I]], [[M]] overflow<nsw>
// CHECK-NEXT: arith.addi {{.*}}, [[N]]
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.store {{.*}} {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK-NEXT: return
func.func @dense(%block: memref<?xi8>, %n: i64, %m: i64, %i: i64) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %ii = arith.index_cast %i : i64 to index
  %a = memref.view %block[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xi64>
  memref.store %n, %a[%ii, %ni] : memref<?x?xi64>
  return
}
