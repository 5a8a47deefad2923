// RUN: futc-mlir-opt --convert=memref-to-pointers %s | FileCheck %s
#domain = #llvm.alias_scope_domain<id = "futc">
#scope = #llvm.alias_scope<id = "block0", domain = #domain>
// CHECK-LABEL: func.func @scopes(
// CHECK: llvm.load {{.*}} {alias_scopes = [#[[SCOPE:[a-z_]+]]], alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.store {{.*}} {alignment = 4 : i64, noalias_scopes = [#[[SCOPE]]]} : i32, !llvm.ptr
func.func @scopes(%block: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %block[%c0] {futc.alias_scopes = [#scope]} : memref<8xi32>
  memref.store %x, %block[%c0] {futc.noalias_scopes = [#scope]} : memref<8xi32>
  return
}
// CHECK-LABEL: func.func @past_caches(
// CHECK: llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.store {{.*}} {alignment = 64 : i64, nontemporal} : vector<8xf32>, !llvm.ptr
func.func @past_caches(%a: memref<64xf32>) {
  %c8 = arith.constant 8 : index
  %x = vector.load %a[%c8] {alignment = 1 : i64} : memref<64xf32>, vector<8xf32>
  vector.store %x, %a[%c8] {alignment = 64 : i64, nontemporal = true} : memref<64xf32>, vector<8xf32>
  return
}
