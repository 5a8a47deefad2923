// Under a mask, elements of one or two bytes are cut out of the aligned words around them, where gathers are quick. Without one, each lane
// loads its own.
// REQUIRES: x86
// RUN: futc-mlir-opt --convert=memref-to-pointers --target-cpu=x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,WORDS
// RUN: futc-mlir-opt --convert=memref-to-pointers --target-cpu=znver4 %s | FileCheck %s --check-prefixes=CHECK,NONE
// CHECK-LABEL: func.func @bytes(
// WORDS: llvm.ptrtoint
// WORDS: [[WORDS:%[0-9]+]] = llvm.intr.masked.gather {{.*}} {alignment = 4 : i32} {{.*}} -> vector<16xi32>
// WORDS: [[BITS:%[0-9]+]] = arith.shli
// WORDS: [[SHIFTED:%[0-9]+]] = arith.shrui [[WORDS]], [[BITS]]
// WORDS: arith.trunci [[SHIFTED]] : vector<16xi32> to vector<16xi8>
// NONE: llvm.intr.masked.gather {{.*}} {alignment = 1 : i32}
func.func @bytes(%a: memref<256xi8>, %at: vector<16xi64>, %mask: vector<16xi1>, %none: vector<16xi8>) -> vector<16xi8> {
  %c0 = arith.constant 0 : index
  %x = vector.gather %a[%c0] [%at], %mask, %none
    : memref<256xi8>, vector<16xi64>, vector<16xi1>, vector<16xi8> into vector<16xi8>
  return %x : vector<16xi8>
}
// CHECK-LABEL: func.func @halves(
// WORDS: arith.muli
// WORDS: llvm.intr.masked.gather {{.*}} -> vector<16xi32>
// WORDS: llvm.bitcast {{.*}} : vector<16xi16> to vector<16xf16>
// NONE: llvm.intr.masked.gather {{.*}} {alignment = 2 : i32}
func.func @halves(%a: memref<256xf16>, %at: vector<16xi64>, %mask: vector<16xi1>, %none: vector<16xf16>) -> vector<16xf16> {
  %c0 = arith.constant 0 : index
  %x = vector.gather %a[%c0] [%at], %mask, %none
    : memref<256xf16>, vector<16xi64>, vector<16xi1>, vector<16xf16> into vector<16xf16>
  return %x : vector<16xf16>
}
// CHECK-LABEL: func.func @whole(
// CHECK: llvm.intr.masked.gather {{.*}} {alignment = 1 : i32}
func.func @whole(%a: memref<256xi8>, %at: vector<16xi64>, %none: vector<16xi8>) -> vector<16xi8> {
  %c0 = arith.constant 0 : index
  %mask = arith.constant dense<true> : vector<16xi1>
  %x = vector.gather %a[%c0] [%at], %mask, %none
    : memref<256xi8>, vector<16xi64>, vector<16xi1>, vector<16xi8> into vector<16xi8>
  return %x : vector<16xi8>
}
