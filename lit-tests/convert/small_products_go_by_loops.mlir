// RUN: futc-mlir-opt --convert=linalg-to-loops --target-cpu=x86-64-v3 %s | FileCheck %s
#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>
#domain = #llvm.alias_scope_domain<id = "futc">
#scope = #llvm.alias_scope<id = "block0", domain = #domain>
// Without a schedule a sum is carried by the innermost loop; what is known of accesses stays with them.
// CHECK-LABEL: func.func @in_order(
// CHECK-NOT: linalg.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: [[SUM:%.*]] = scf.for {{.*}} iter_args([[SO_FAR:%.*]] = %{{.*}}) -> (f32)
// CHECK: [[X:%.*]] = memref.load {{.*}}futc.noalias_scopes = [#{{.*}}]
// CHECK: [[Y:%.*]] = memref.load
// CHECK: [[XY:%.*]] = arith.mulf [[X]], [[Y]]
// CHECK: arith.addf [[SO_FAR]], [[XY]] fastmath<reassoc>
// CHECK: memref.store [[SUM]], %{{.*}} {futc.alias_scopes = [#{{.*}}]}
// CHECK: return
func.func @in_order(%a: memref<?xi8>, %b: memref<?xi8>, %c: memref<?xi8>, %n: i64, %m: i64, %p: i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %pi = arith.index_cast %p : i64 to index
  %x = memref.view %a[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %y = memref.view %b[%c0][%mi, %pi] : memref<?xi8> to memref<?x?xf32>
  %z = memref.view %c[%c0][%ni, %pi] : memref<?xi8> to memref<?x?xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<?x?xf32>)
  linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : memref<?x?xf32>, memref<?x?xf32>) outs(%z : memref<?x?xf32>)
    attrs = {futc.accesses = [[[], [#scope], []], [[], [], []], [[#scope], [], []]]} {
  ^bb0(%left: f32, %right: f32, %sum: f32):
    %product = arith.mulf %left, %right : f32
    %next = arith.addf %sum, %product fastmath<reassoc> : f32
    linalg.yield %next : f32
  }
  return
}
// With columns, each of a block of these has a sum on the stack. Without a fill, sums begin with what is there.
// CHECK-LABEL: func.func @columns(
// CHECK: [[SUMS:%.*]] = memref.alloca() {{.*}}memref<16xf32>
// CHECK-NOT: linalg.
// CHECK: [[START:%.*]] = memref.load %{{.*}} : memref<?x?xf32>
// CHECK: memref.store [[START]], [[SUMS]]
// CHECK: [[SO_FAR:%.*]] = memref.load [[SUMS]]
// CHECK: [[NEXT:%.*]] = arith.addf [[SO_FAR]],
// CHECK: memref.store [[NEXT]], [[SUMS]]
// CHECK: [[TOTAL:%.*]] = memref.load [[SUMS]]
// CHECK: memref.store [[TOTAL]], %{{.*}} : memref<?x?xf32>
func.func @columns(%a: memref<?xi8>, %b: memref<?xi8>, %c: memref<?xi8>, %n: i64, %m: i64, %p: i64) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %pi = arith.index_cast %p : i64 to index
  %x = memref.view %a[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %y = memref.view %b[%c0][%mi, %pi] : memref<?xi8> to memref<?x?xf32>
  %z = memref.view %c[%c0][%ni, %pi] : memref<?xi8> to memref<?x?xf32>
  linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : memref<?x?xf32>, memref<?x?xf32>) outs(%z : memref<?x?xf32>)
    attrs = {futc.columns = array<i64: 1, 16>} {
  ^bb0(%left: f32, %right: f32, %sum: f32):
    %product = arith.mulf %left, %right : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}
