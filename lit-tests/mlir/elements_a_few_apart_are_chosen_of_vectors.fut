-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --emit=mlir %s | FileCheck %s
-- REQUIRES: x86

-- Both elements of a row are chosen of the same two vectors.
-- CHECK-LABEL: func.func private @fut_lengths
-- CHECK: vector.load {{.*}} : memref<?xf32>, vector<16xf32>
-- CHECK-NEXT: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>
-- CHECK: vector.load {{.*}} : memref<?xf32>, vector<16xf32>
-- CHECK-NEXT: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 18, 20, 22, 24, 26, 28, 30] : vector<16xf32>
-- CHECK: vector.load {{.*}} : memref<?xf32>, vector<16xf32>
-- CHECK-NEXT: vector.shuffle {{.*}} [1, 3, 5, 7, 9, 11, 13, 15, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>
-- CHECK-NOT: vector.gather
-- CHECK: scf.while
entry lengths [n] (xs: [n][2]f32) : [n]f32 =
  map (\p -> loop s = p[0] * p[0] + p[1] * p[1] while s < 100 do s * 1.5 + 1) xs

-- Without rows of two, nothing is read behind the last element.
-- CHECK-LABEL: func.func private @fut_every_second
-- CHECK: vector.load {{.*}} : memref<?xf32>, vector<16xf32>
-- CHECK-NEXT: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>
-- CHECK: vector.load {{.*}} : memref<?xf32>, vector<16xf32>
-- CHECK-NEXT: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>
-- CHECK: scf.while
entry every_second (n: i64) (xs: []f32) : [n]f32 =
  tabulate n (\i -> loop s = #[unsafe] xs[2 * i] while s < 100 do s * 1.5 + 1)
