// RUN: futc-mlir-opt --convert=linalg-to-loops --target-cpu=x86-64-v3 %s | FileCheck %s
#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>
// Blocks for panels, the fill before, both factors packed, and the tile: two rows of two vectors.
// CHECK-LABEL: func.func @product(
// CHECK: memref.alloca() {{.*}} : memref<2x16xf32>
// CHECK: [[ROWS:%.*]] = call @futc_alloc(
// CHECK: [[COLUMNS:%.*]] = call @futc_alloc(
// CHECK-NOT: linalg.
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {futc.alias_scopes = [#{{.*}}]} : memref<?x?xf32>
// CHECK: memref.load %{{.*}} : memref<?x?xf32>
// CHECK: memref.store %{{.*}} : memref<?xf32, strided<[1]{{.*}}>>
// CHECK: memref.load %{{.*}} : memref<?x?xf32>
// CHECK: math.absf
// CHECK: memref.store %{{.*}} : memref<?xf32, strided<[1]{{.*}}>>
// CHECK: arith.select {{.*}} : memref<2x16xf32
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-2: vector.load
// CHECK: vector.broadcast
// CHECK-COUNT-2: math.fma
// CHECK: vector.broadcast
// CHECK-COUNT-2: math.fma
// CHECK: scf.yield
// CHECK-COUNT-4: vector.store
// As many vectors as there are columns for.
// CHECK: } else {
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>) :
// CHECK-COUNT-1: vector.load
// CHECK: scf.yield
// CHECK-COUNT-2: vector.store
// CHECK: call @futc_release(
// CHECK: call @futc_release(
// CHECK: return
#domain = #llvm.alias_scope_domain<id = "futc">
#scope = #llvm.alias_scope<id = "block0", domain = #domain>
func.func @product(%context: !llvm.ptr, %a: memref<?xi8>, %b: memref<?xi8>, %c: memref<?xi8>, %n: i64, %m: i64, %p: i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %pi = arith.index_cast %p : i64 to index
  %x = memref.view %a[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %y = memref.view %b[%c0][%mi, %pi] : memref<?xi8> to memref<?x?xf32>
  %z = memref.view %c[%c0][%ni, %pi] : memref<?xi8> to memref<?x?xf32>
  linalg.fill {futc.alias_scopes = [#scope]} ins(%zero : f32) outs(%z : memref<?x?xf32>)
  linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : memref<?x?xf32>, memref<?x?xf32>) outs(%z : memref<?x?xf32>)
    attrs = {futc.block = array<i64: 4, 32, 64>, futc.dims = array<i64: 0, 1>, futc.lanes = 8 : i64, futc.tile = array<i64: 2, 16>} {
  ^bb0(%left: f32, %right: f32, %sum: f32):
    %size = math.absf %left : f32
    %product = arith.mulf %size, %right : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}
// Operators are those of the region, in their order; without a fill, products are added to what is there. Elements at
// computed indexes are read while packing.
// CHECK-LABEL: func.func @minimum(
// CHECK: memref.load %{{.*}} : memref<64xi64>
// CHECK: memref.load %{{.*}} : memref<64x16xi32>
// CHECK: memref.load %{{.*}} : memref<4x64xi32>
// CHECK: [[PRODUCT:%.*]] = arith.addi {{.*}} : vector<4xi32>
// CHECK-NEXT: arith.minsi [[PRODUCT]], {{.*}} : vector<4xi32>
func.func @minimum(%context: !llvm.ptr, %a: memref<4x64xi32>, %at: memref<64xi64>, %b: memref<64x16xi32>, %c: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %z = memref.view %c[%c0][] : memref<?xi8> to memref<4x16xi32>
  linalg.generic {indexing_maps = [#rows, affine_map<(i, j, k) -> (k)>, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %at : memref<4x64xi32>, memref<64xi64>) outs(%z : memref<4x16xi32>)
    attrs = {futc.block = array<i64: 4, 16, 64>, futc.dims = array<i64: 0, 1>, futc.lanes = 4 : i64, futc.tile = array<i64: 2, 4>} {
  ^bb0(%left: i32, %k: i64, %least: i32):
    %row = arith.index_cast %k : i64 to index
    %column = linalg.index 1 : index
    %right = memref.load %b[%row, %column] : memref<64x16xi32>
    %sum = arith.addi %right, %left : i32
    %next = arith.minsi %sum, %least : i32
    linalg.yield %next : i32
  }
  return
}
// Whole panels of a factor that is only read are packed by vectors if it lies across, and in squares if it lies depth by depth; the
// steps that are left then, and panels that are not whole, one by one.
// CHECK-LABEL: func.func @squares(
// CHECK: arith.cmpi sle
// CHECK-NEXT: scf.if
// CHECK: vector.load {{.*}} : memref<?x?xf32>, vector<8xf32>
// CHECK: vector.store {{.*}} : memref<?xf32, strided<[1]{{.*}}>>, vector<8xf32>
// CHECK: vector.load {{.*}} : memref<?x?xf32>, vector<8xf32>
// CHECK: vector.store {{.*}} : memref<?xf32, strided<[1]{{.*}}>>, vector<8xf32>
// CHECK: } else {
// CHECK: memref.load %{{.*}} : memref<?x?xf32>
// CHECK: arith.cmpi sle
// CHECK-NEXT: scf.if
// CHECK: [[SIDE:%.*]] = arith.constant 4 : i64
// CHECK-NEXT: [[N:%.*]] = arith.divui %{{.*}}, [[SIDE]] : i64
// CHECK: scf.for {{.*}} to [[N]] step
// CHECK-COUNT-4: vector.load {{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK-COUNT-8: vector.shuffle {{.*}} : vector<4xf32>, vector<4xf32>
// CHECK-COUNT-4: vector.store {{.*}} : memref<?xf32, strided<[1]{{.*}}>>, vector<4xf32>
// CHECK: memref.load %{{.*}} : memref<?x?xf32>
// CHECK: } else {
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @squares(%context: !llvm.ptr, %a: memref<?xi8>, %b: memref<?xi8>, %c: memref<?xi8>, %n: i64, %m: i64, %p: i64) {
  %c0 = arith.constant 0 : index
  %ni = arith.index_cast %n : i64 to index
  %mi = arith.index_cast %m : i64 to index
  %pi = arith.index_cast %p : i64 to index
  %x = memref.view %a[%c0][%ni, %mi] : memref<?xi8> to memref<?x?xf32>
  %y = memref.view %b[%c0][%mi, %pi] : memref<?xi8> to memref<?x?xf32>
  %z = memref.view %c[%c0][%ni, %pi] : memref<?xi8> to memref<?x?xf32>
  linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : memref<?x?xf32>, memref<?x?xf32>) outs(%z : memref<?x?xf32>)
    attrs = {futc.block = array<i64: 4, 32, 64>, futc.dims = array<i64: 0, 1>, futc.lanes = 8 : i64, futc.tile = array<i64: 4, 16>} {
  ^bb0(%left: f32, %right: f32, %sum: f32):
    %product = arith.mulf %left, %right : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}
