-- A product of matrices is one operation on whole arrays, with its schedule as attributes: in blocks, unless it is so small that vectors of
-- its columns go along the depth; or with another loop innermost.
-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v3 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v3 | mlir-opt --verify-each | FileCheck %s
-- CHECK-DAG: #[[ROWS:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
-- CHECK-DAG: #[[COLUMNS:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
-- CHECK-DAG: #[[RESULT:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
-- CHECK-DAG: #[[DEPTH:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d2)>
-- CHECK-LABEL: func.func private @fut_product(
-- CHECK: scf.if
-- CHECK: vector.load
-- CHECK: linalg.fill
-- CHECK-NEXT: linalg.generic {indexing_maps = [#[[ROWS]], #[[COLUMNS]], #[[RESULT]]]
-- CHECK-SAME: {futc.accesses = {{.*}}, futc.columns = array<i64: 1, 1024>}
-- CHECK: } else {
-- CHECK: linalg.fill
-- CHECK-NEXT: linalg.generic {indexing_maps = [#[[ROWS]], #[[COLUMNS]], #[[RESULT]]]
-- CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
-- CHECK-SAME: ins(%{{.*}}, %{{.*}} : memref<?x?xf32>, memref<?x?xf32>) outs(%{{.*}} : memref<?x?xf32>)
-- CHECK-SAME: futc.block = array<i64: 192, {{[0-9]+}}, 256>, futc.dims = array<i64: 0, 1>, futc.lanes = 8 : i64, futc.tile = array<i64: 6, 16>
-- CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[SUM:.*]]: f32):
-- CHECK-NEXT: [[XY:%.*]] = arith.mulf %[[X]], %[[Y]] : f32
-- CHECK-NEXT: [[NEXT:%.*]] = arith.addf %[[SUM]], [[XY]] : f32
-- CHECK-NEXT: linalg.yield [[NEXT]] : f32
entry product [n] [m] [k] (a: [n][m]f32) (b: [m][k]f32) : [n][k]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
-- CHECK-LABEL: func.func private @fut_by_columns(
-- CHECK-NOT: scf.for
-- CHECK: linalg.fill
-- CHECK-NEXT: linalg.generic {indexing_maps = [#[[ROWS]], #[[COLUMNS]], #[[RESULT]]]
-- CHECK-SAME: {futc.accesses = {{.*}}, futc.columns = array<i64: 1, 1024>}
-- CHECK-NOT: scf.for
entry by_columns [n] [m] [k] (a: [n][m]f32) (b: [m][k]f32) : [n][k]f32 =
  #[schedule(columns)] map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
-- The code of factors is in the region; so are elements at computed indexes, where only a shape tells the depth.
-- CHECK-LABEL: func.func private @fut_computed(
-- CHECK: linalg.generic {indexing_maps = [#[[DEPTH]], #[[RESULT]]]
-- CHECK-SAME: ins(%{{.*}} : memref<?xi32, strided<[0]>>)
-- CHECK: linalg.index 2
-- CHECK: memref.load
-- CHECK: arith.maxsi
-- CHECK: linalg.yield
entry computed [n] [q] [k] (a: [n][q]i32) (b: [q][k]i32) (m: i64) : [n][k]i32 =
  tabulate_2d n k (\i j -> i32.maximum (tabulate m (\l -> #[unsafe] a[i, l * 7 % q] * b[l * 5 % q, j])))
