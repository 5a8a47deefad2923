// REQUIRES: x86
// RUN: futc-mlir-opt --convert=memref-to-pointers --target-cpu=znver4 %s | FileCheck %s --check-prefixes=CHECK,BYTES
// RUN: futc-mlir-opt --convert=memref-to-pointers --target-cpu=x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,NONE
// CHECK-LABEL: func.func @of_64(
// BYTES: [[T:%[0-9]+]] = llvm.load {{.*}} vector<64xi8>
// BYTES: llvm.call_intrinsic "llvm.x86.avx512.permvar.qi.512"([[T]], %{{.*}})
// NONE: llvm.intr.masked.gather
func.func @of_64(%a: memref<256xi8>, %at: vector<64xi8>, %mask: vector<64xi1>, %none: vector<64xi8>) -> vector<64xi8> {
  %c0 = arith.constant 0 : index
  %i = arith.extui %at : vector<64xi8> to vector<64xi64>
  %x = vector.gather %a[%c0] [%i], %mask, %none {futc.table = 64 : i64}
    : memref<256xi8>, vector<64xi64>, vector<64xi1>, vector<64xi8> into vector<64xi8>
  return %x : vector<64xi8>
}
// Fewer lanes take a part of a vector.
// CHECK-LABEL: func.func @of_256(
// BYTES-COUNT-4: llvm.load {{.*}} vector<64xi8>
// BYTES: llvm.shufflevector {{.*}} : vector<16xi8>
// BYTES: [[LOW:%[0-9]+]] = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"
// BYTES: [[HIGH:%[0-9]+]] = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"
// BYTES: [[UPPER:%[0-9]+]] = arith.cmpi slt
// BYTES: arith.select [[UPPER]], [[HIGH]], [[LOW]]
// BYTES: llvm.shufflevector {{.*}} : vector<64xi8>
// NONE: llvm.intr.masked.gather
func.func @of_256(%a: memref<256xi8>, %at: vector<16xi8>, %mask: vector<16xi1>, %none: vector<16xi8>) -> vector<16xi8> {
  %c0 = arith.constant 0 : index
  %i = arith.extui %at : vector<16xi8> to vector<16xi64>
  %x = vector.gather %a[%c0] [%i], %mask, %none {futc.table = 256 : i64}
    : memref<256xi8>, vector<16xi64>, vector<16xi1>, vector<16xi8> into vector<16xi8>
  return %x : vector<16xi8>
}
// Without bytes it is a gather as any other.
// CHECK-LABEL: func.func @of_words(
// CHECK: llvm.intr.masked.gather
func.func @of_words(%a: memref<256xi8>, %i: vector<64xi64>, %mask: vector<64xi1>, %none: vector<64xi8>) -> vector<64xi8> {
  %c0 = arith.constant 0 : index
  %x = vector.gather %a[%c0] [%i], %mask, %none {futc.table = 64 : i64}
    : memref<256xi8>, vector<64xi64>, vector<64xi1>, vector<64xi8> into vector<64xi8>
  return %x : vector<64xi8>
}
